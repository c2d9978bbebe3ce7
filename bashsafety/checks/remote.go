package checks

import (
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/remote"
)

// remoteChecks find what deletes or stops things that are no files of this
// machine. What each program does is a literal of its own, see deletion.
var remoteChecks = []analysis.Check{
	{
		ID:       "infra-destroy",
		Title:    "destroys infrastructure, or changes it without review",
		Why:      "the resources and their data are lost",
		Instead:  "`terraform plan -destroy` to see what would be destroyed, or `terraform plan -out=tfplan`",
		Severity: analysis.Destructive,
		Fails: []string{
			"TF_CLI_ARGS_apply=-destroy terraform apply", "terraform force-unlock -force 1", "npx aws-cdk@2 destroy --all", "docker run --rm hashicorp/terraform:1.5 destroy", "nix run nixpkgs#terraform -- destroy",
			"terraform destroy", "terraform destroy -auto-approve", "tofu -chdir=prod destroy", "terraform apply -destroy", "terraform apply -auto-approve -var x=y",
			"terraform state rm aws_instance.x", "terraform workspace delete prod", "sudo terraform destroy", "terragrunt run-all destroy", "pulumi destroy -y",
			"pulumi up --yes", "cdk destroy --all --force", "serverless remove --stage prod", "ansible all -m file -a 'path=/srv state=absent'", "npx sst remove", "ansible web -a 'rm -rf /srv'",
			"ssh host terraform destroy", "terraform destroy -var --help", "terraform $ARGS destroy",
		},
		Passes: []string{
			"TF_CLI_ARGS_plan=-parallelism=4 terraform plan", "npx aws-cdk@2 diff", "docker run --rm hashicorp/terraform:1.5 plan",
			"terraform plan -destroy", "terraform plan -out=tfplan", "terraform apply tfplan", "terraform apply -auto-approve tfplan", "terraform destroy -help",
			"terraform state list", "terraform workspace list", "pulumi preview", "pulumi destroy --preview-only", "cdk diff", "echo terraform destroy",
			"git commit -m 'terraform destroy'", "ansible-playbook site.yml --check", "terraform apply -destroy=false", "grep -r 'terraform destroy' .",
		},
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return append(remote.Deleting(s, commands.OfInfra), remote.ArgsInEnvironment(s)...)
		},
	},
	{
		ID:       "cluster-delete",
		Title:    "deletes or stops resources in a cluster",
		Why:      "namespaces, volumes and releases do not come back by themselves",
		Instead:  "`kubectl delete --dry-run=client`, `helm uninstall --dry-run` or `kubectl get` to look first",
		Severity: analysis.Destructive,
		Fails: []string{
			"kubectl patch pv x -p '{\"metadata\":{\"finalizers\":null}}'", "kubectl replace --raw /api/v1/namespaces/x/finalize -f x",
			"kubectl delete namespace prod", "kubectl -n x delete ns prod", "kubectl delete pvc data", "kubectl delete pod --all", "kubectl delete pods -A",
			"kubectl delete -f k8s/", "kubectl delete deploy/web", "kubectl delete all --all", "kubectl delete $kind x", "kubectl --context prod delete crd/x.y", "kubectl drain node1",
			"kubectl scale deploy web --replicas=0", "kubectl scale --replicas 0 deploy/web", "kubectl replace --force -f x.yaml", "kustomize build . | kubectl delete -f -",
			"helm uninstall web", "helm -n x delete web", "kubectl delete ns x --dry-run=none", "kubectl delete ns prod --token --dry-run=client", "k3s kubectl delete ns x", "kind delete cluster", "minikube delete",
			"argocd app delete web", "flux uninstall", "eksctl delete cluster --name x", "xargs kubectl delete", "kubectl delete pod,pvc -l app=x",
		},
		Passes: []string{
			"kubectl patch deploy web -p '{\"spec\":{\"replicas\":2}}'", "kubectl get --raw /healthz",
			"kubectl delete pod web-1", "kubectl delete pods -l app=web", "kubectl delete pod/web-1 pod/web-2", "kubectl delete job migrate", "kubectl get ns", "kubectl delete ns prod --dry-run=client",
			"kubectl delete --dry-run=server -f x.yaml", "kubectl delete --help", "kubectl get pods -l app=delete", "helm list", "helm uninstall web --dry-run", "helm upgrade web . --install", "kubectl scale deploy web --replicas=3",
			"kubectl rollout restart deploy/web", "kubectl describe ns delete", "echo 'kubectl delete ns prod'", "kind get clusters", "kubectl apply -f x.yaml", "kubectl config delete-context x",
		},
		Find: func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfCluster) },
	},
	{
		ID:       "container-delete",
		Title:    "deletes container volumes, or everything unused",
		Why:      "data in a volume is in no image and cannot be recreated",
		Instead:  "`docker rm web`, which names the container, or `docker compose down`, which keeps the volumes",
		Severity: analysis.Destructive,
		Fails: []string{
			"docker compose rm -fsv", "docker-compose rm -fv", "podman pod rm -fa",
			"docker system prune -af", "docker volume prune", "docker image prune -a", "podman system prune", "docker volume rm data", "docker compose down -v",
			"docker compose -f x.yml -p y down --volumes", "docker-compose -f x.yml down --volumes", "docker builder prune", "docker rm -f $(docker ps -aq)", "docker ps -q | xargs docker stop",
			"docker swarm leave --force", "docker stack rm web", "podman rm -af", "docker --context prod volume rm x", "docker rmi -f $(docker images -q)", "podman system reset", "docker-compose down -vt 5", "for c in $(docker ps -aq); do docker rm -f $c; done", "X=$(docker ps -aq); docker stop $X",
		},
		Passes: []string{
			"docker compose -f dev.yml rm web", "docker compose rm -fs web",
			"docker rm -f web", "docker compose down", "docker compose rm -f web", "docker volume ls", "docker run -v data:/x alpine ls", "docker compose up -d -V", "docker stop web",
			"docker system df", "docker compose down --help", "docker compose --dry-run down -v", "docker rm $(docker ps -aq --filter name=test)", "docker volume prune --help", "echo docker system prune", "docker compose logs -f",
			"docker compose down --volumes=false", "docker rmi img", "docker kill web", "docker stop $(docker ps | grep web | awk '{print $1}')", "docker ps -aq | head -1 | xargs docker rm", "docker build -t prune .", "docker run prune",
		},
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return append(remote.Deleting(s, commands.OfContainer), remote.EveryContainer(s)...)
		},
	},
	{
		ID:       "machine-delete",
		Title:    "deletes a virtual machine",
		Why:      "its disks go with it",
		Instead:  "`vagrant status` or `virsh list --all` to look first",
		Severity: analysis.Destructive,
		Fails:    []string{"vagrant destroy -f", "virsh undefine web", "virsh -c qemu:///system destroy web", "multipass delete x --purge", "VBoxManage unregistervm x --delete", "wsl --unregister Ubuntu", "incus delete x"},
		Passes:   []string{"vagrant up", "vagrant halt", "virsh list --all", "multipass list", "VBoxManage list vms", "vagrant destroy --help", "wsl --list"},
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfMachine) },
	},
	{
		ID:       "cloud-delete",
		Title:    "deletes or stops resources in a cloud",
		Why:      "the cloud keeps no copy of what it deletes",
		Instead:  "`aws ec2 describe-instances`, `aws s3 rm --dryrun` or `gcloud compute instances list` to look first",
		Severity: analysis.Destructive,
		Fails: []string{
			"aws cognito-idp admin-disable-user --username b", "aws ec2 reboot-instances --instance-ids i", "az ad sp credential reset --id x", "gcloud compute instances reset x", "aliyun rds ResetAccountPassword", "aws2 s3 rb s3://b",
			"python3 -m awscli s3 rb s3://b", "docker run amazon/aws-cli s3 rb s3://b", "aws rds modify-db-instance --no-deletion-protection --db-instance-identifier x", "aws s3api put-bucket-versioning --bucket b --versioning-configuration Status=Suspended",
			"aws ec2 terminate-instances --instance-ids i-1", "aws --profile p s3 rb s3://b --force", "aws s3 rm s3://b --recursive", "aws s3 sync . s3://b --delete", "aws rds delete-db-instance --db-instance-identifier x",
			"aws kms schedule-key-deletion --key-id x", "aws s3 rb $bucket", "aws frob delete-thing", "aws ec2 terminate-$x", "aws $OPTS ec2 terminate-instances --instance-ids i", "gcloud compute instances delete x -q", "gcloud --project p projects delete p",
			"gcloud storage rm -r gs://b", "gsutil -m rm -r gs://b", "gsutil rb gs://b", "bq rm -r -f d", "az group delete -n x -y", "az vm deallocate -g g -n v", "doctl compute droplet delete x -f", "aws s3 rm s3://b --recurs",
			"hcloud server delete x", "oci compute instance terminate --instance-id x", "aws-vault exec p -- aws s3 rb s3://b", "az storage blob delete-batch -s c",
		},
		Passes: []string{
			"aws cognito-idp admin-get-user --username stop", "aws s3 rm s3://b/x", "az group show -n reset",
			"az acr build -t delete -r x .", "aws --endpoint-url http://localhost:8000 dynamodb delete-table --table-name x", "aws s3api put-bucket-versioning --bucket b --versioning-configuration Status=Enabled",
			"aws ec2 describe-instances", "aws s3 ls", "aws s3 rm s3://b --recursive --dryrun", "aws ec2 terminate-instances help", "aws ec2 terminate-instances --dry-run --instance-ids i", "aws logs filter-log-events --filter-pattern delete-x",
			"aws s3 cp delete-me.txt s3://b", "aws s3 sync . s3://b", "gcloud compute instances list --filter delete", "gcloud compute instances describe delete", "gcloud config configurations delete x", "gcloud logging read delete",
			"az vm list", "az group show -n delete", "az group delete --help", "gsutil ls", "gsutil rsync -n -d a gs://b", "doctl compute droplet list", "az storage blob delete-batch -s c --dryrun", "aws logs stop-query --query-id x",
			"aws cloudformation describe-stacks --stack-name delete-me", "echo aws s3 rb s3://b", "az extension remove -n x", "aws --endpoint-url http://localhost:4566 s3 rb s3://b",
		},
		Find: func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfCloud) },
	},
	{
		ID:       "platform-delete",
		Title:    "deletes or stops something on a hosting platform",
		Why:      "a deleted application, domain or record is gone for its users",
		Instead:  "`heroku apps:info`, `fly status` or `wrangler deploy --dry-run` to look first",
		Severity: analysis.Destructive,
		Fails: []string{
			"npx firebase-tools@latest functions:delete f", "npx netlify-cli sites:delete x", "npx @railway/cli down",
			"heroku apps:destroy -a x --confirm x", "heroku ps:scale web=0", "fly apps destroy x -y", "flyctl volumes destroy v", "vercel rm x --yes", "vercel env rm X production", "netlify sites:delete x", "wrangler delete", "npx wrangler kv key delete k",
			"wrangler r2 bucket delete b", "firebase functions:delete f", "supabase projects delete x", "railway down", "stripe customers delete cus_1", "fastly service delete --service-id x", "fastly purge --all", "flarectl dns delete --id x", "deck gateway reset", "pnpm dlx vercel remove x",
		},
		Passes: []string{
			"npx firebase-tools deploy", "npx @railway/cli up",
			"heroku apps:info", "heroku ps:scale web=2", "heroku logs -t", "fly status", "fly deploy", "vercel deploy", "vercel ls", "netlify deploy --prod", "wrangler deploy", "wrangler delete --dry-run", "firebase deploy", "firebase functions:list",
			"supabase start", "supabase stop", "railway up", "stripe listen", "stripe customers list", "fastly service list", "heroku apps:destroy --help", "echo fly apps destroy x", "heroku plugins:uninstall x",
		},
		Find: func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfPlatform) },
	},
	{
		ID:       "code-host-delete",
		Title:    "deletes something on a code host or build service",
		Why:      "no clone contains issues, releases or settings",
		Instead:  "`gh repo view`, `gh release view` or `gh api` without -X to look first",
		Severity: analysis.Destructive,
		Fails: []string{
			"gh api -X PATCH repos/a/b -F archived=true",
			"gh repo delete a/b --yes", "gh -R a/b release delete v1", "gh secret delete X", "gh api -X DELETE repos/a/b", "gh api --method=delete repos/a/b/hooks/1", "gh api -XDELETE x", "gh repo archive a/b", "gh repo edit --visibility public",
			"gh api graphql -f query='mutation{deleteIssue(input:{issueId:\"x\"}){clientMutationId}}'", "gh workflow disable ci", "gh cache delete --all", "glab repo delete x", "glab api -X DELETE projects/1", "glab variable delete X", "gh issue delete 5",
			"java -jar jenkins-cli.jar -s http://j delete-job x", "circleci context delete github o c", "gh api x -H 'X-HTTP-Method-Override: DELETE'", "gh run cancel 5",
		},
		Passes: []string{
			"gh api -X PATCH repos/a/b -F has_wiki=true", "gh api -X PATCH repos/a/b -F archived=false",
			"gh repo view a/b", "gh pr list --search delete", "gh issue create --title 'delete repo'", "gh api repos/a/b", "gh api graphql -f query='{viewer{login}}'", "gh pr merge 1 --delete-branch", "gh release list", "glab mr list", "gh repo delete --help",
			"gh api graphql -f query='mutation{addStar(input:{}){x}}'", "gh pr comment 1 --body 'gh repo delete'", "java -jar app.jar delete-job", "gh secret list", "gh alias delete x", "gh api -X POST x -f body=DELETE", "glab ci view", "gh cache delete 5", "gh pr close 5",
		},
		Find: func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfCodeHost) },
	},
	{
		ID:       "registry-delete",
		Title:    "unpublishes a package from a registry",
		Why:      "projects that depend on it can no longer build",
		Instead:  "`npm view x` or `npm unpublish --dry-run`",
		Severity: analysis.Destructive,
		Fails: []string{
			"npm profile disable-2fa", "npm team rm o:t u", "npm unpublish x@1.0.0", "npm unpublish --force", "npm deprecate x 'old'", "npm dist-tag rm x next", "npm owner rm u x", "pnpm unpublish x", "yarn npm unpublish x", "cargo yank --vers 1.0.0", "cargo +nightly yank x", "gem yank x -v 1",
			"dotnet nuget delete x 1.0 -k y", "npm --registry https://r unpublish x", "mix hex.retire x 1.0 security",
		},
		Passes: []string{
			"npm profile get", "npm run reset", "npm publish", "npm unpublish x --dry-run", "npm view x", "npm uninstall x", "npm owner ls x", "npm dist-tag ls x", "npm install unpublish", "cargo yank --undo --vers 1.0.0", "cargo publish --dry-run", "gem list yank", "npm run unpublish-docs",
			"npm search unpublish",
		},
		Find: func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfRegistry) },
	},
	{
		ID:       "storage-delete",
		Title:    "deletes data stored on another machine",
		Why:      "remote storage has no trash folder",
		Instead:  "`rclone sync --dry-run`, `rsync -n --delete` or a listing to look first",
		Severity: analysis.Destructive,
		Fails: []string{
			"rclone purge r:x", "rclone sync . r:x", "rclone delete r:x", "mc rb --force m/b", "mc rm --recursive --force m/b", "mc mirror --remove a m/b", "s3cmd rb s3://b", "s3cmd del --recursive s3://b", "b2 bucket delete x", "azcopy remove https://x", "rsync -a --delete . host:/srv",
			"rsync -avh --delete-after . u@h:x", "rsync -a --del . rsync://h/x", "hdfs dfs -rm -r /x", "rsync -a --delete . \"$HOST:/srv\"", "s5cmd rm 's3://b/*'", "ceph osd pool delete x x --yes-i-really-really-mean-it",
		},
		Passes: []string{
			"rclone ls r:x", "rclone copy . r:x", "rclone sync --dry-run . r:x", "rclone sync -n . r:x", "mc ls m", "mc cp a m/b", "s3cmd ls", "rsync -a . host:/srv", "rsync -n -a --delete . host:/srv", "rsync -a --exclude --delete . host:x", "hdfs dfs -ls /x", "b2 ls x", "echo rclone purge x",
		},
		Find: func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfStorage) },
	},
	{
		ID:       "backup-delete",
		Title:    "deletes backups or snapshots",
		Why:      "the last copy may be among them",
		Instead:  "`restic forget --dry-run`, `borg prune --dry-run --list` or a listing",
		Severity: analysis.Destructive,
		Fails: []string{
			"restic forget --keep-last 1 --prune", "restic -r /srv/r prune", "borg delete repo::x", "borg prune --keep-daily 7 repo", "velero backup delete x --confirm", "kopia snapshot delete x --delete", "tmutil deletelocalsnapshots 2024", "snapper delete 1", "duplicity remove-older-than 1M file:///x --force",
			"tarsnap -d -f x", "timeshift --delete-all", "vssadmin delete shadows /all",
		},
		Passes: []string{
			"restic snapshots", "restic forget --keep-last 1 --dry-run", "restic forget -n --keep-last 1", "borg list repo", "borg prune -n --list repo", "velero backup get", "tmutil listbackups", "snapper list", "borg create repo::delete .", "restic backup prune",
		},
		Find: func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfBackup) },
	},
	{
		ID:       "queue-delete",
		Title:    "deletes messages, topics or queues",
		Why:      "unread messages are lost",
		Instead:  "`kafka-topics.sh --describe`, `rabbitmqctl list_queues` or `nats stream info`",
		Severity: analysis.Destructive,
		Fails: []string{
			"php artisan queue:clear", "php artisan queue:flush",
			"kafka-topics.sh --bootstrap-server b:9092 --delete --topic x", "kafka-topics --topic x --delete", "kafka-consumer-groups --group g --reset-offsets --to-earliest --execute --topic x", "rabbitmqctl delete_queue q", "rabbitmqctl -n n reset", "rabbitmqctl purge_queue q",
			"rabbitmqadmin delete queue name=q", "nats stream rm x -f", "nats stream purge x", "rpk topic delete x", "celery -A app purge -f", "pulsar-admin topics delete x", "nats --server s kv del b k",
		},
		Passes: []string{
			"php artisan queue:work", "php artisan queue:retry all",
			"kafka-topics.sh --bootstrap-server b:9092 --list", "kafka-topics --describe --topic delete", "kafka-consumer-groups --group g --reset-offsets --to-earliest --dry-run --topic x", "rabbitmqctl list_queues", "rabbitmqctl status", "nats stream info x", "rpk topic list", "celery -A app worker",
			"nats context rm x", "pulsar-admin topics list x", "kafka-topics --topic --delete --describe",
		},
		Find: func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfQueue) },
	},
	{
		ID:       "http-delete",
		Title:    "asks a server to delete something",
		Why:      "the server may keep no copy of what it deletes",
		Instead:  "the same request with GET to look first",
		Severity: analysis.Destructive,
		Fails: []string{
			"curl https://a/graphql --json @- <<'E'\n{\"query\": \"mutation { removeUser(id: 1) { id } }\"}\nE", "curl https://a/v1 -d 'mutation { delete_users(where: {}) { n } }'", "wget --post-data '{\"query\":\"mutation {\\n purgeAll }\"}' https://a/graphql",
			"http POST https://a/graphql query='mutation { bulkDeleteUsers { n } }'", "curl 'https://a/graphql?query=mutation%7BdeleteUser%7Bid%7D%7D'", "python3 -c \"import requests; requests.post('https://a/graphql', json={'query': 'mutation { deleteUser(id: 1) { id } }'})\"",
			"curl -X POST -d _method=delete https://a/x", "curl -X POST https://a/graphql -d '{\"query\":\"mutation{deleteUser(id:1){id}}\"}'", "python3 -c \"import requests; requests.delete('https://a/x')\"", "node -e \"fetch('https://a/x', {method: 'DELETE'})\"",
			"curl -X DELETE https://api.example.com/users/1", "curl -XDELETE https://a/x", "curl --request=DELETE https://a/x", "curl --reque DELETE https://a/x", "curl -sX delete https://a/x", "curl https://a/x -H 'X-HTTP-Method-Override: DELETE'", "curl -X DELETE localhost:9200/_all", "curl -X PURGE https://a/x",
			"curl -X POST https://e/i/_delete_by_query -d '{}'", "wget --method=DELETE https://a/x", "http DELETE https://a/x", "xh delete https://a/x", "https -v DELETE a/x", "curl -X DELETE \"$URL\"", "curl -X DELETE http://localhost@evil.com/x", "curl -x p:1 -X DELETE http://localhost:3000/x",
			"curl -X DELETE http://localhost:3000/x https://a/x", "curl --unix-socket /var/run/docker.sock -X DELETE http://localhost/volumes/x", "curl -X GET https://a --next -X DELETE https://a/x", "curl -Q 'DELE x' ftp://a/", "for m in a b; do curl -X \"$(next)\" https://a/x; done", "curl -X DELETE localhost.evil.com/x",
			"curl -X DELETE http://localhost:$PORT/x",
		},
		Passes: []string{
			"curl http://localhost:4000/graphql -d @- <<'E'\n{\"query\": \"mutation { deleteUser(id: 1) { id } }\"}\nE", "http POST :4000/graphql query='mutation { deleteUser { id } }'", "wget --post-data '{\"query\":\"mutation { addUser { id } }\"}' https://a/graphql",
			"curl -X POST https://a/graphql -d '{\"query\":\"{deletedUsers{id}}\"}'", "python3 -c \"import requests; requests.delete('http://localhost:8000/x')\"", "node -e \"fetch('https://a/x').then(r => r.text())\"", "python3 -c \"import requests; requests.post('https://a/x', json={'method': 1})\"",
			"curl https://a/DELETE", "curl -X POST https://a/delete", "curl -X GET https://a/x", "curl -d DELETE https://a/x", "curl -X DELETE http://localhost:3000/todos/1", "curl -XDELETE \"http://127.0.0.1:8080/x/$ID\"", "curl -X DELETE 'http://[::1]:3000/x'", "http DELETE :3000/x", "http DELETE localhost:3000/x",
			"echo curl -X DELETE https://a", "curl -H 'X-Note: DELETE' https://a/x", "wget https://a/DELETE", "http GET https://a/x", "curl --help", "curl -s 'https://docs.example/_delete_by_query'", "curl -X DELETE http://app.localhost/x",
		},
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return append(remote.HTTPDeletes(s), fedMutations(s)...)
		},
	},
	{
		ID:       "service-stop",
		Title:    "stops or disables a system service",
		Why:      "everything that needs the service stops too",
		Instead:  "`systemctl status nginx`, or `systemctl restart nginx`",
		Severity: analysis.Destructive,
		Fails: []string{
			"pm2 delete all", "npx pm2 kill", "fuser -km /mnt",
			"systemctl stop nginx", "sudo systemctl disable --now sshd", "systemctl mask x", "systemctl poweroff", "systemctl -q --no-block stop x", "service nginx stop", "launchctl bootout system/com.x", "launchctl remove com.x", "supervisorctl stop all", "rc-service sshd stop", "nginx -s stop",
			"ssh host sudo systemctl stop postgresql", "systemctl --signal=KILL kill x",
		},
		Passes: []string{
			"pm2 delete web", "pm2 restart all", "fuser -k 3000/tcp",
			"systemctl status nginx", "systemctl restart nginx", "systemctl --user stop app", "systemctl stop --help", "service nginx restart", "service --status-all", "launchctl list", "launchctl bootout gui/501/com.x", "launchctl unload ~/Library/LaunchAgents/x.plist", "nginx -s reload", "nginx -t", "systemctl start stop", "echo systemctl stop x",
			"supervisorctl status", "brew services stop redis",
		},
		Find: func(s *analysis.Analysis) []analysis.Finding { return remote.Stopping(s, commands.OfServices) },
	},
	{
		ID:       "machine-stop",
		Title:    "shuts down or restarts the machine",
		Why:      "everything running on it ends",
		Instead:  "`uptime`, then let the user restart it",
		Severity: analysis.Destructive,
		Fails:    []string{"reboot", "sudo shutdown -h now", "shutdown -r +5", "halt", "poweroff -f", "init 0", "telinit 6", "ssh host reboot", "shutdown /s /t 0", "sudo -n /sbin/reboot"},
		Passes:   []string{"shutdown -c", "reboot --help", "last reboot", "echo reboot", "man shutdown", "npm init 0", "init --version", "shutdown --show", "which halt"},
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Stopping(s, commands.OfPower) },
	},
	{
		ID:       "kill-all",
		Title:    "kills every process, or one the system needs",
		Why:      "unsaved work and the session itself are lost",
		Instead:  "`pkill -f vite` or `kill 1234`, which names the process",
		Severity: analysis.Destructive,
		Fails:    []string{"kill -9 -1", "kill -KILL -- -1", "kill 1", "kill -s TERM 1", "sudo kill -9 1", "killall5 -9", "pkill -u root", "pkill -9 .", "killall -u dev", "pkill -KILL -f '.*'", "killall -9 sshd", "kill -15 -1", "kill -n 9 -1", "pkill -x systemd"},
		Passes: []string{
			"kill 1234", "kill -9 1234", "kill -1 1234", "kill %1", "kill -l", "kill -0 1", "kill $PID", "kill -9 $(lsof -ti:3000)", "pkill -f vite", "killall node", "pkill -9 -f 'next dev'", "pkill -u dev node", "pgrep -u root", "killall -l", "echo kill -9 -1", "pkill --help", "kill -s TERM 1234", "kill -- -4321",
		},
		Find: remote.KillsAll,
	},
	{
		ID:       "account-delete",
		Title:    "deletes a user or group account",
		Why:      "the user's files may be deleted or left without an owner",
		Instead:  "`id dev` to look first",
		Severity: analysis.Destructive,
		Fails: []string{
			"usermod -L bob", "passwd -d root", "chpasswd < x", "gpasswd -d bob sudo", "userdel -r dev", "sudo deluser dev", "groupdel x", "dscl . -delete /Users/dev", "net user dev /delete", "sysadminctl -deleteUser dev"},
		Passes: []string{
			"usermod -aG docker bob", "passwd -S bob", "gpasswd -a bob docker", "userdel --help", "useradd dev", "dscl . -list /Users", "id dev", "net user dev", "echo userdel dev"},
		Find: func(s *analysis.Analysis) []analysis.Finding { return remote.Stopping(s, commands.OfAccounts) },
	},
	{
		ID:       "network-cut",
		Title:    "removes firewall rules or cuts the network connection",
		Why:      "the machine is exposed, or can no longer be reached",
		Instead:  "`iptables -L` or `ip addr` to look first",
		Severity: analysis.Destructive,
		Fails: []string{
			"iptables -P INPUT DROP", "iptables --policy FORWARD DROP",
			"iptables -F", "iptables -t nat --flush", "sudo ip6tables -X", "iptables -D INPUT 1", "nft flush ruleset", "ufw disable", "ufw --force reset", "ip link set eth0 down", "ip route flush table main", "ip a del 10.0.0.1/8 dev eth0", "ifconfig eth0 down", "nmcli con del x", "nmcli networking off",
			"firewall-cmd --permanent --remove-service=ssh", "pfctl -F all", "route delete default",
		},
		Passes: []string{
			"iptables -P INPUT ACCEPT", "iptables -A INPUT -p tcp -j DROP",
			"iptables -L", "iptables -S", "nft list ruleset", "ufw status", "ip addr", "ip link show", "ip route show", "ip link set eth0 up", "ifconfig eth0", "nmcli con show", "firewall-cmd --list-all", "ufw --dry-run disable", "iptables -A INPUT -j ACCEPT", "route -n",
		},
		Find: func(s *analysis.Analysis) []analysis.Finding { return remote.Stopping(s, commands.OfNetwork) },
	},
	{
		ID:       "volume-delete",
		Title:    "deletes a storage volume, pool or snapshot",
		Why:      "everything on it is lost",
		Instead:  "`lvs`, `zfs list` or `btrfs subvolume list` to look first",
		Severity: analysis.Destructive,
		Fails: []string{
			"umount -a",
			"lvremove -f vg/lv", "vgremove vg", "zfs destroy -r tank/x", "zfs rollback tank/x@y", "zpool destroy tank", "btrfs subvolume delete x", "btrfs sub del x", "dmsetup remove_all", "losetup -D", "mdadm --stop /dev/md0", "diskutil apfs deleteVolume disk1s2", "lvm lvremove vg/lv",
		},
		Passes: []string{
			"umount /mnt/usb",
			"lvremove --test vg/lv", "zfs list", "zfs destroy -nv tank/x", "zpool status", "btrfs subvolume list /", "losetup -l", "mdadm --detail /dev/md0", "diskutil apfs list", "echo zfs destroy tank", "lvremove --help",
		},
		Find: func(s *analysis.Analysis) []analysis.Finding { return remote.Stopping(s, commands.OfVolumes) },
	},
}
