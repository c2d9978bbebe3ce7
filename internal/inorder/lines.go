// Package inorder answers the lines of an input by several workers, in their order.
package inorder

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// An Answerer appends what is written for line number (from 1). It belongs to one goroutine.
type Answerer func(number int, line, to []byte) []byte

// How much a worker takes at once: so many lines, or the first that goes over so many bytes.
const (
	chunkLines = 64
	chunkBytes = 64 << 10
)

// keptBytes is how large the memory of a chunk may be to be used again.
const keptBytes = 1 << 20

// A chunk is some lines on their way from the reader to the writer.
type chunk struct {
	first    int    // number of the first line
	text     []byte // of all lines
	ends     []int  // where each line ends in text
	out      []byte
	answered chan struct{}
}

// Answer writes an answer for every line that is not blank. At any time only a few
// chunks for each worker are in memory. Start is called once for each worker, and told
// after each chunk with the number of lines up to there. The error is that of in; one of
// out is for out to keep.
func Answer(in io.Reader, out io.Writer, workers int, start func() Answerer, told func(lines int)) error {
	todo, order := make(chan *chunk, workers), make(chan *chunk, workers+1)
	free := make(chan *chunk, workers+2)
	for range cap(free) {
		free <- &chunk{}
	}
	for range workers {
		answer := start()
		go func() {
			for c := range todo {
				c.answer(answer)
				close(c.answered)
			}
		}()
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		for c := range order {
			<-c.answered
			out.Write(c.out)
			told(c.first - 1 + len(c.ends))
			free <- c
		}
	}()
	r := bufio.NewReaderSize(in, chunkBytes)
	number := 1
	var err error
	for err == nil {
		c := <-free
		err = c.read(r, number)
		number += len(c.ends)
		order <- c
		todo <- c
	}
	close(todo)
	close(order)
	<-written
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// read fills a chunk. What was read before an error is a line as well.
func (c *chunk) read(r *bufio.Reader, first int) error {
	if cap(c.text) > keptBytes {
		c.text = nil
	}
	if cap(c.out) > keptBytes {
		c.out = nil
	}
	c.first, c.text, c.ends, c.out = first, c.text[:0], c.ends[:0], c.out[:0]
	c.answered = make(chan struct{})
	for len(c.ends) < chunkLines && len(c.text) < chunkBytes {
		from := len(c.text)
		err := c.line(r)
		if err == nil || len(c.text) > from {
			c.ends = append(c.ends, len(c.text))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// line reads one line, however long.
func (c *chunk) line(r *bufio.Reader) error {
	for {
		part, err := r.ReadSlice('\n')
		c.text = append(c.text, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

func (c *chunk) answer(answer Answerer) {
	from := 0
	for i, end := range c.ends {
		line := c.text[from:end]
		if from = end; len(bytes.TrimSpace(line)) > 0 {
			c.out = answer(c.first+i, line, c.out)
		}
	}
}
