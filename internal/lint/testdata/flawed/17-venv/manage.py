# of the project
