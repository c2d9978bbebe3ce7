package automaton

import (
	"math/bits"
	"slices"
)

// An interned keeps lists of numbers, each one once and by number.
type interned struct {
	lists [][]int32
	table table
	free  []int32 // room for further lists
}

// number is the number of a list, and whether it is a new one.
func (in *interned) number(list []int32) (id int32, added bool) {
	h := hash(list)
	id, ok := in.table.find(h, func(id int32) bool { return slices.Equal(in.lists[id], list) })
	if ok {
		return id, false
	}
	if len(in.free) < len(list) {
		in.free = make([]int32, max(1<<12, len(list)))
	}
	kept := in.free[:len(list):len(list)]
	in.free = in.free[copy(kept, list):]
	in.lists = append(in.lists, kept)
	id = int32(len(in.lists) - 1)
	in.table.add(h, id)
	return id, true
}

func hash(list []int32) uint64 {
	h := uint64(len(list))
	for _, n := range list {
		h = mix(h, uint64(n))
	}
	return h
}

// mix is a hash with one more number.
func mix(h, n uint64) uint64 {
	hi, lo := bits.Mul64(h^n, 0x9e3779b97f4a7c15)
	return hi ^ lo ^ 0xd6e8feb86659fd93
}

// A table finds things by hash: numbers counted from 0, each added once.
type table struct {
	heads []int32 // by the low bits of the hash: the latest number, plus 1
	next  []int32 // by number: the one before with the same low bits, plus 1
	hash  []uint64
}

// find is the thing of a hash that is the one looked for.
func (t *table) find(hash uint64, is func(int32) bool) (id int32, ok bool) {
	if len(t.heads) == 0 {
		return 0, false
	}
	for i := t.heads[hash&uint64(len(t.heads)-1)]; i > 0; i = t.next[i-1] {
		if t.hash[i-1] == hash && is(i-1) {
			return i - 1, true
		}
	}
	return 0, false
}

// add takes in the next number.
func (t *table) add(hash uint64, id int32) {
	t.hash, t.next = append(t.hash, hash), append(t.next, 0)
	if len(t.hash) <= len(t.heads) {
		t.link(id)
		return
	}
	t.heads = make([]int32, max(64, 2*len(t.heads)))
	for i := range t.hash {
		t.link(int32(i))
	}
}

func (t *table) link(id int32) {
	head := &t.heads[t.hash[id]&uint64(len(t.heads)-1)]
	t.next[id], *head = *head, id+1
}
