package shell

const MaxPath = 1024 // bytes of a directory that names are put after; a longer one is unknown
