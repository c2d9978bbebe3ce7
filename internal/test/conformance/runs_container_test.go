package conformance

import (
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// TestRunsMounted: a path at or below a mount of a container is its source here, whatever program touches it.
func TestRunsMounted(t *testing.T) {
	for _, row := range [...]struct {
		text string
		want hookio.Decision
	}{
		{"docker run -v .:/w alpine sh -c 'echo x > /w/.git/hooks/pre-commit'", hookio.Ask},
		{"docker run -v $PWD:/w -w /w alpine sh -c 'echo x > .git/hooks/pre-commit'", hookio.Ask},
		{"docker run --rm -v /work/project:/w alpine tee /w/.git/config", hookio.Ask}, {"podman run -v .:/w:z alpine cat /w/.env", hookio.Deny},
		{"docker run --mount type=bind,source=/work/project,target=/w alpine cat /w/.env", hookio.Deny}, {"docker run -v .:/w alpine rm -rf /w/src", hookio.Deny},
		{"docker run -v ~/.ssh:/root/.ssh alpine cat '~/.ssh/id_rsa'", hookio.Ask}, {"docker run -v $HOME:/h alpine sh -c 'rm -rf /h/x'", hookio.Deny},
		{"docker run -v /:/host alpine rm -f /host/etc/passwd", hookio.Deny}, {"docker run -v /home/dev:/home/dev alpine sh -c 'echo x >> /home/dev/.bashrc'", hookio.Ask},
		{"docker run -v .:/w -w /w alpine sh -c 'echo \"cat .env\" > x.sh; sh x.sh'", hookio.Deny},
		{"docker run -v /home:/h/x alpine find /h -delete", hookio.Deny}, {"docker run --mount type=bind,src=/,dst=/h alpine find / -delete", hookio.Deny},
		{"docker run -v vol:/h -v /home:/h/x alpine sh -c 'rm -rf /h/*'", hookio.Deny}, {"docker run -v $HOME:/root alpine find ~ -delete", hookio.Deny},
		{"docker run -v $HOME:/u -e HOME=/u alpine sh -c 'find ~ -delete'", hookio.Deny}, {"docker run -v $HOME:/home/node node sh -c 'echo x >> ~/.bashrc'", hookio.Ask},
		// a source that is not known may be any folder
		{"docker run -v \"$ROOT\":/app alpine sh -c 'echo x > /app/.bashrc'", hookio.Ask}, {"docker run -v $(pwd)/$X:/app alpine rm -rf /app/x", hookio.Deny}, {"docker run -v \"$ROOT\":/app alpine find /app/x -delete", hookio.Ask},
		{"docker run -v \"$ROOT\":/app alpine ls /app", hookio.Allow}, {"docker run -v \"$ROOT\":/app -w /app node npm test", hookio.Allow}, {"docker run -v \"$ROOT\":/app alpine sh -c 'echo x > /app/out.txt'", hookio.Allow},
		{"docker run -v \"$ROOT\":/app alpine sh -c 'echo x > /tmp/y'", hookio.Allow},
		// what is in the container alone: no catastrophe, no write of ours
		{"docker run alpine find /cache -delete", hookio.Ask}, {"docker run --rm alpine dd if=/dev/zero of=/x", hookio.Ask},
		{"docker run -v .:/w alpine sh -c 'echo x > /etc/hosts'", hookio.Allow}, {"docker run -v .:/w alpine find /cache -delete", hookio.Ask},
		{"docker run -v data:/data alpine find /data -delete", hookio.Ask}, {"docker run -v .:/w -w /w alpine sh -c 'echo x > out.txt'", hookio.Allow},
		{"docker run alpine mv /etc /x", hookio.Allow}, {"docker run alpine chmod -R 777 /", hookio.Ask}, {"docker run -v .:/w alpine sh -c 'find /w/src /cache -delete'", hookio.Ask},
		// but it may be here where the container is not closed
		{"docker run --privileged alpine find / -delete", hookio.Deny}, {"docker run --pid=host alpine find / -delete", hookio.Deny},
		{"docker exec web find / -delete", hookio.Deny}, {"docker run --volumes-from x alpine find / -delete", hookio.Deny},
		{"docker run -v /var/run/docker.sock:/s alpine find / -delete", hookio.Deny}, {"docker compose run web find / -delete", hookio.Deny},
		{"docker run --device /dev/sda alpine dd if=/dev/zero of=/dev/sda", hookio.Deny}, {"docker run -v \"$x\":/w alpine find / -delete", hookio.Deny},
		{"docker run -v /:/h node chroot /h find / -delete", hookio.Deny}, {"docker run -v /:/h node sh -c 'chroot /h mkfs.ext4 /dev/sda'", hookio.Deny},
		{"docker run -v /:/h alpine sh -c 'ln -s /h/home /x; find /x/ -delete'", hookio.Deny}, {"podman run --pod x alpine find / -delete", hookio.Deny},
		{"docker run --pid=container:x alpine find /proc/1/root -delete", hookio.Deny}, {"docker run -v /run:/run alpine find / -delete", hookio.Deny},
		{"docker run --mount type=volume,volume-opt=device=/,target=/w alpine find / -delete", hookio.Deny},
	} {
		if got, why := harmAnswer(t, row.text); got != row.want {
			t.Errorf("%s: %s, want %s: %s", row.text, got, row.want, why)
		}
	}
}
