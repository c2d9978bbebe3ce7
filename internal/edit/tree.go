package edit

import (
	"github.com/tailscale/hujson"

	"github.com/permgate--owner/permgate/internal/tree"
)

// Tree is what the file says.
func (d *Doc) Tree() *tree.Node {
	d.Root.UpdateOffsets()
	return treeOf(&d.Root)
}

func treeOf(v *hujson.Value) *tree.Node {
	n := &tree.Node{Off: v.StartOffset}
	switch c := v.Value.(type) {
	case *hujson.Object:
		n.Kind = tree.Table
		for i := range c.Members {
			n.Set(Text(&c.Members[i].Name), treeOf(&c.Members[i].Value))
		}
	case *hujson.Array:
		n.Kind = tree.List
		for i := range c.Elements {
			n.Items = append(n.Items, treeOf(&c.Elements[i]))
		}
	case hujson.Literal:
		if n.Kind, n.Text = tree.Word, string(c); c.Kind() == '"' {
			n.Kind, n.Text = tree.Text, c.String()
		}
	}
	return n
}
