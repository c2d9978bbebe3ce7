package conformance

// remoteStop is a check and commands it has to ask about, a line each.
type remoteStop struct{ check, lines string }

// remoteStops are commands that delete or stop what is no file.
var remoteStops = []remoteStop{
	{"infra-destroy", `
TF_CLI_ARGS_apply=-destroy terraform apply
npx aws-cdk@2 destroy --all
docker run --rm hashicorp/terraform:1.5 -chdir=/w destroy
terraform destroy
terraform destroy -auto-approve
terraform -chdir=envs/prod destroy -target=module.db
tofu destroy -auto-approve -var-file=prod.tfvars
TF_VAR_x=1 terraform destroy
cd infra && terraform destroy -auto-approve
terraform apply -destroy -auto-approve
terraform apply -auto-approve
terraform apply --auto-approve -var region=eu
terraform state rm module.db.aws_db_instance.main
terraform state push errored.tfstate
terraform workspace select default && terraform workspace delete -force staging
terraform taint aws_instance.web
bash -c 'terraform destroy -auto-approve'
ssh deploy@bastion 'cd infra; terraform destroy -auto-approve'
env AWS_PROFILE=prod terraform destroy
for d in a b; do terraform -chdir=$d destroy -auto-approve; done
time terraform destroy
terraform $TF_ARGS destroy -auto-approve
terraform "$chdir" destroy
docker run --rm -v .:/w alpine/terragrunt terragrunt run-all destroy
terragrunt destroy --terragrunt-non-interactive
terragrunt run-all destroy
terragrunt run --all destroy
terragrunt apply -auto-approve
terragrunt state rm aws_s3_bucket.x
pulumi destroy --yes
pulumi -C infra destroy -s prod -y
pulumi up --yes
pulumi up -y --stack prod
pulumi stack rm prod --force
pulumi state delete urn:x
pulumi cancel
npx cdk destroy --all --force
cdk destroy WebStack
cdktf destroy prod
sam delete --stack-name web --no-prompts
serverless remove --stage prod
npx serverless remove
sls remove -s prod
npx sst remove --stage prod
amplify delete --force
eb terminate prod-env --force
copilot app delete --yes
zappa undeploy prod
knife node delete web1 -y
puppet node purge web1
salt '*' system.reboot
salt 'web*' pkg.remove nginx
ansible web -b -m file -a 'path=/srv/data state=absent'
ansible all -m reboot
ansible all -m service -a 'name=nginx state=stopped'
ansible-playbook -i prod teardown.yml
ansible-playbook destroy-cluster.yml -e env=prod
doppler run -- terraform destroy
aws-vault exec prod -- terraform destroy -auto-approve
op run --env-file=x -- tofu destroy
`},
	{"cluster-delete", `
kubectl replace --raw /api/v1/namespaces/prod/finalize -f x.json
kubectl delete namespace staging
kubectl delete ns/staging
kubectl -n prod delete pvc --all
kubectl delete pv pv-01
kubectl --context=prod --namespace x delete deployment web
kubectl delete deploy,svc,ing -l app=web
kubectl delete statefulset db --cascade=orphan
kubectl delete crd widgets.example.com
kubectl delete pods --all -n prod
kubectl delete pods --all-namespaces --field-selector=status.phase=Failed
kubectl delete all --all
kubectl delete -f deploy/
kubectl delete -k overlays/prod
cat m.yaml | kubectl delete -f -
kustomize build overlays/prod | kubectl delete -f -
kubectl delete --raw /api/v1/namespaces/x
kubectl delete "$KIND" "$NAME"
kubectl get pvc -o name | xargs kubectl delete
kubectl delete secret db-password
kubectl delete node worker-3
kubectl delete clusterrolebinding admin
kubectl $CTX delete ns prod
kubectl del$x ns prod
kubectl drain worker-1 --ignore-daemonsets --delete-emptydir-data
kubectl scale deployment/web --replicas=0
kubectl scale --replicas 0 -n prod sts/db
kubectl replace --force -f pod.yaml
kubectl apply --prune -f . -l app=x
kubectl taint nodes n1 key=v:NoExecute
kubectl delete ns prod --dry-run=false
kubectl delete ns prod -l --dry-run=client
oc delete project shop
oc adm drain node1
sudo k3s kubectl delete ns prod
minikube kubectl -- delete ns x
microk8s kubectl delete ns x
ssh cp1 kubectl delete ns prod
helm uninstall web -n prod
helm -n prod delete web
helm del web
helm --kube-context prod uninstall web --keep-history
helm upgrade web ./chart --force
helmfile destroy
helmfile -e prod destroy
flux uninstall --silent
flux delete kustomization apps
flux suspend kustomization apps
argocd app delete web --cascade
argocd --server s app delete web -y
argocd app sync web --prune
argocd cluster rm https://x
eksctl delete cluster --name prod
eksctl delete nodegroup --cluster c ng
kops delete cluster --name x --yes
k3d cluster delete dev
kind delete cluster --name dev
kind delete clusters --all
minikube delete --all --purge
kubeadm reset -f
talosctl reset -n 10.0.0.2
k3s-uninstall.sh
istioctl uninstall --purge -y
skaffold delete
nomad job stop -purge web
nomad namespace delete x
kapp delete -a web -y
`},
	{"swarm-change", `
docker swarm leave --force
docker node rm n1
`},
	{"container-delete", `
docker compose rm -fsv
docker system prune -af --volumes
docker system prune
docker volume prune -f
docker volume rm pgdata
docker --context prod volume rm pgdata
docker volume rm $(docker volume ls -q)
docker image prune -a -f
docker container prune -f
docker network prune -f
docker builder prune -af
docker rm -f $(docker ps -aq)
docker stop $(docker ps -q)
docker ps -aq | xargs docker rm -f
docker images -q | xargs -r docker rmi
docker rmi -f $(docker images -q)
docker rmi -f web:latest
docker compose down -v
docker compose -f docker-compose.prod.yml down --volumes
docker compose --profile all -p shop down -v --remove-orphans
docker compose down --rmi all
docker-compose down -v
docker-compose -f a.yml -f b.yml down --volumes
docker stack rm shop
docker service rm web
docker secret rm token
podman system prune -a
podman system reset -f
podman rm -af
podman volume rm -a
podman machine rm
nerdctl system prune
buildah rm --all
crictl rmi --prune
`},
	{"machine-delete", `
vagrant destroy -f
virsh destroy web
virsh undefine web --remove-all-storage
virsh -c qemu:///system vol-delete disk.qcow2 default
multipass delete --all --purge
limactl delete default
colima delete -f
VBoxManage unregistervm dev --delete
qm destroy 101
lxc delete web --force
wsl --unregister Ubuntu
govc vm.destroy web
`},
	{"cloud-delete", `
python3 -m awscli ec2 terminate-instances --instance-ids i-1
aws rds modify-db-instance --no-deletion-protection --db-instance-identifier x
aws ec2 terminate-instances --instance-ids i-0abc
aws --profile prod --region eu-west-1 ec2 terminate-instances --instance-ids i-1
aws ec2 stop-instances --instance-ids i-1
aws s3 rb s3://bucket --force
aws s3 rb $BUCKET
aws s3 rm s3://bucket --recursive
aws s3 rm --recursive s3://bucket/prefix --quiet
aws s3 sync dist s3://bucket --delete
aws s3api delete-bucket --bucket b
aws s3api delete-objects --bucket b --delete file://x.json
aws rds delete-db-instance --db-instance-identifier prod --skip-final-snapshot
aws rds delete-db-cluster --db-cluster-identifier prod
aws dynamodb delete-table --table-name users
aws cloudformation delete-stack --stack-name prod
aws iam delete-user --user-name bob
aws iam detach-role-policy --role-name r --policy-arn a
aws kms schedule-key-deletion --key-id k --pending-window-in-days 7
aws kms disable-key --key-id k
aws eks delete-cluster --name prod
aws ecr batch-delete-image --repository-name r --image-ids imageTag=x
aws lambda delete-function --function-name f
aws logs delete-log-group --log-group-name g
aws sqs purge-queue --queue-url u
aws sns unsubscribe-all; aws sns delete-topic --topic-arn a
aws route53 delete-hosted-zone --id Z1
aws route53 change-resource-record-sets --hosted-zone-id Z --change-batch '{"Changes":[{"Action":"DELETE"}]}'
aws elbv2 deregister-targets --target-group-arn a --targets Id=i
aws ecs update-service --cluster c --service s --desired-count 0
aws autoscaling update-auto-scaling-group --auto-scaling-group-name g --desired-capacity=0
aws ec2 release-address --allocation-id a
aws secretsmanager delete-secret --secret-id s --force-delete-without-recovery
aws frobnicate delete-everything
aws ec2 terminate-instances --instance-ids i --no-dry-run
aws $PROFILE ec2 terminate-instances --instance-ids i
xargs aws ec2 terminate-instances --instance-ids < ids
aws-vault exec prod -- aws s3 rb s3://b
gcloud compute instances delete web --zone z -q
gcloud --project=p compute instances delete web
gcloud projects delete p
gcloud container clusters delete c --region r
gcloud beta sql instances delete db
gcloud storage rm -r gs://b
gcloud storage buckets delete gs://b
gcloud storage rsync a gs://b --delete-unmatched-destination-objects
gcloud app versions stop v1
gcloud services disable run.googleapis.com
gcloud kms keys versions destroy 1 --key k --keyring r --location l
gcloud container clusters resize c --num-nodes=0
gcloud iam service-accounts delete x
gsutil rm -r gs://b
gsutil -m rm 'gs://b/**'
gsutil rb gs://b
gsutil -m rsync -r -d dist gs://b
az group delete --name rg --yes --no-wait
az vm delete -g g -n v -y
az vm deallocate -g g -n v
az storage account delete -n s -y
az storage blob delete-batch -s c --account-name a
az aks delete -n c -g g
az sql db delete -n d -s s -g g
az keyvault purge -n v
az keyvault delete -n v
az rest --method delete --url https://management.azure.com/x
az deployment group create -g g --mode Complete -f empty.json
az webapp stop -n w -g g
az ad sp delete --id x
azd down --purge --force
doctl compute droplet delete web -f
doctl kubernetes cluster delete c
doctl compute droplet rm web
ibmcloud ks cluster rm --cluster c
ibmcloud is instance-delete i
oci compute instance terminate --instance-id i --force
oci os object bulk-delete -bn b
linode-cli linodes delete 1
hcloud server delete web
hcloud volume delete v
scw instance server terminate s
vultr-cli instance delete i
openstack server delete web
civo kubernetes remove c
cf delete web -f
sf org delete sandbox -o x
aliyun ecs DeleteInstance --InstanceId i
`},
	{"platform-delete", `
npx firebase-tools@latest functions:delete f
npx @railway/cli down
heroku apps:destroy --app shop --confirm shop
heroku ps:scale web=0 -a shop
heroku addons:destroy redis
heroku domains:remove www.x.com
heroku maintenance:on
heroku ps:stop web
fly apps destroy shop --yes
flyctl machine destroy abc --force
fly volumes delete vol_1
fly scale count 0
fly -t ci destroy-pipeline -p main
vercel remove shop --yes
vercel project rm shop
vercel --token x domains rm x.com
npx vercel rm shop
netlify sites:delete --site x
netlify api deleteSite --data '{}'
wrangler delete
npx wrangler delete --name api
wrangler queues delete q
wrangler pages project delete site
wrangler r2 bucket delete b
firebase functions:delete api --force
firebase hosting:disable
firebase firestore:delete --all-collections
supabase projects delete abc
supabase functions delete f
railway down
railway environment delete prod
stripe customers delete cus_1
stripe delete /v1/customers/cus_1
stripe subscriptions cancel sub_1
fastly service delete --service-id x
fastly purge --all
flarectl zone delete x
cloudflared tunnel delete t
dnscontrol push
twilio phone-numbers:remove x
ldcli flags delete --flag f --project p
algolia indices delete idx
deck gateway reset
sentry-cli releases delete 1.0
newrelic entity delete --guid x
`},
	{"code-host-delete", `
gh repo delete me/app --yes
gh repo delete --yes
gh -R me/app release delete v1 -y
gh release delete-asset v1 app.zip
gh repo archive me/app -y
gh repo edit me/app --visibility private
gh secret delete TOKEN
gh variable delete X
gh issue delete 12 --yes
gh gist delete abc
gh run delete 99
gh workflow disable ci.yml
gh cache delete --all
gh ssh-key delete 1
gh codespace delete --all
gh api -X DELETE repos/me/app
gh api --method DELETE repos/me/app/git/refs/heads/x
gh api repos/me/app -XDELETE
gh api -X "$METHOD" repos/me/app
gh api graphql -f query='mutation { deleteProject(input: {projectId: "x"}) { clientMutationId } }'
glab repo delete group/app --yes
glab release delete v1
glab variable delete X
glab api --method DELETE projects/1
glab mr delete 5
glab ci delete 7
hub delete me/app
java -jar jenkins-cli.jar -s http://ci/ delete-job web
circleci context delete github org ctx
gitlab-runner unregister --all-runners
`},
	{"registry-delete", `
npm unpublish app@1.0.0
npm unpublish --force
npm deprecate app@1 'use 2'
npm dist-tag rm app next
npm owner rm bob app
pnpm unpublish app@1.0.0
yarn npm unpublish app@1.0.0
cargo yank --version 1.0.0
cargo owner --remove bob
gem yank app -v 1.0.0
dotnet nuget delete App 1.0.0 --non-interactive
pod trunk delete App 1.0
`},
	{"storage-delete", `
rclone purge remote:bucket
rclone delete remote:bucket --min-age 30d
rclone sync ./dist remote:bucket
mc rb --force minio/bucket
mc rm --recursive --force minio/bucket
mc mirror --remove --overwrite dist minio/bucket
s3cmd del --recursive --force s3://b
s3cmd rb s3://b
s5cmd rm 's3://b/*'
b2 bucket delete b
azcopy remove 'https://a.blob.core.windows.net/c' --recursive
rsync -avz --delete dist/ deploy@web:/srv/www/
rsync -a --delete-excluded . rsync://h/m
hdfs dfs -rm -r -skipTrash /data
hadoop fs -rm -r /data
rbd rm pool/image
`},
	{"backup-delete", `
borg delete repo::monday
borg prune --keep-last 1 /backups/repo
restic -r s3:x forget --keep-last 1 --prune
restic forget abc
restic prune
kopia snapshot delete abc --delete
velero backup delete nightly --confirm
velero uninstall
tmutil delete /Volumes/x
snapper -c root delete 1-20
duplicity remove-all-but-n-full 1 --force s3://x
wal-g delete everything FORCE --confirm
pgbackrest --stanza=main expire --set=x
`},
	{"queue-delete", `
kafka-topics.sh --bootstrap-server b:9092 --delete --topic orders
kafka-topics --delete --topic orders --bootstrap-server b:9092
kafka-consumer-groups.sh --bootstrap-server b --group g --reset-offsets --to-earliest --topic t --execute
kafka-acls --remove --topic t
rabbitmqctl delete_queue orders
rabbitmqctl stop_app
rabbitmqctl delete_vhost /
rabbitmqadmin delete queue name=orders
nats stream rm ORDERS -f
nats stream purge ORDERS -f
nats consumer rm ORDERS c
rpk topic delete orders
pulsar-admin topics delete persistent://a/b/c
celery -A proj purge -f
docker exec kafka kafka-topics --bootstrap-server b --delete --topic t
`},
	{"http-delete", `
python3 -c "import requests; requests.delete('https://api.example.com/users/1')"
curl -X DELETE https://api.example.com/v1/users/5
curl -sS -XDELETE https://api.example.com/v1/users/5
curl --request DELETE --url https://api.example.com/x
curl https://api.example.com/x --request=delete -H 'Authorization: x'
curl -X DELETE "http://localhost:9200/orders"
curl -XDELETE 'localhost:9200/_all'
curl -X DELETE http://localhost:7700/indexes/movies
curl -X POST localhost:9200/orders/_delete_by_query -d '{"query":{"match_all":{}}}'
curl -X POST 'http://prom:9090/api/v1/admin/tsdb/delete_series?match[]=up'
curl -X DELETE http://127.0.0.1:15672/api/queues/%2f/q
curl -X DELETE http://localhost:8001/services/web
curl -X DELETE "$API/users/5"
curl -X POST https://api.example.com/x -H 'X-HTTP-Method-Override: DELETE'
curl -X POST https://ci/job/web/doDelete
wget --method=DELETE https://api.example.com/x
http DELETE https://api.example.com/x
https delete api.example.com/x
xh DELETE api.example.com/x
http -a u:p DELETE api.example.com/x
ssh host "curl -X DELETE http://es:9200/x"
xargs -I{} curl -X DELETE https://api.example.com/{}
`},
	{"service-stop", `
systemctl stop nginx
sudo systemctl disable --now docker
systemctl mask firewalld
systemctl isolate rescue.target
service postgresql stop
sudo service ssh stop
launchctl bootout system/com.x.agent
launchctl unload /Library/LaunchDaemons/com.x.plist
supervisorctl stop all
nginx -s quit
rc-service sshd stop
`},
	{"machine-stop", `
reboot
sudo reboot now
shutdown -h now
sudo shutdown -r +1
halt -p
poweroff
init 0
sudo telinit 6
ssh web1 sudo reboot
`},
	{"kill-all", `
kill -9 -1
kill -KILL -1
kill -s KILL -- -1
sudo kill -9 1
pkill -u dev
pkill -9 -f .
killall -u www-data
killall -9 systemd
`},
	{"account-delete", `
passwd -l bob
usermod --lock bob
userdel -r bob
sudo deluser --remove-home bob
groupdel dev
dscl . -delete /Users/bob
`},
	{"network-cut", `
iptables -F
sudo iptables -t nat -F
iptables --flush INPUT
nft flush ruleset
ufw disable
ufw --force reset
ip link set eth0 down
ip route flush all
ifconfig en0 down
nmcli networking off
nmcli con delete office
firewall-cmd --permanent --remove-port=22/tcp
pfctl -d
`},
	{"volume-delete", `
lvremove -f vg0/data
sudo vgremove vg0
zfs rollback -r tank/data@old
btrfs subvolume delete /mnt/@home
dmsetup remove_all -f
mdadm --stop /dev/md0
losetup -D
`},
}

// remotePasses look like it and are asked about by none of the checks; ⏎ is a line end.
const remotePasses = `
npx aws-cdk@2 diff
docker compose -f dev.yml rm web
aws --endpoint-url http://localhost:8000 dynamodb delete-table --table-name x
pm2 delete web
passwd -S bob
python3 -c "import requests; requests.delete('http://localhost:8000/x')"
kubectl patch deploy web -p '{"spec":{"replicas":2}}'
terraform plan
terraform plan -destroy
terraform plan -destroy -out=tfplan
terraform apply tfplan
terraform apply -auto-approve tfplan
terraform apply
terraform init
terraform validate
terraform fmt -recursive
terraform show -json tfplan
terraform state list
terraform state show aws_instance.destroy
terraform workspace list
terraform output
terraform destroy -help
terraform state rm -dry-run x
terragrunt plan
terragrunt run-all plan
pulumi preview
pulumi stack ls
pulumi up
pulumi destroy --preview-only
pulumi destroy --help
cdk diff
cdk synth
cdk deploy WebStack
sam build
serverless deploy
ansible all -m ping
ansible-playbook site.yml --check
ansible-playbook site.yml
ansible-playbook --syntax-check teardown.yml
kubectl get pods -A
kubectl get ns delete
kubectl describe ns prod
kubectl delete pod web-1
kubectl delete pods web-1 web-2 -n dev
kubectl delete pod -l app=web
kubectl delete pod/web-1 --grace-period=0 --force
kubectl delete job/migrate
kubectl delete ns prod --dry-run=client
kubectl delete -f x.yaml --dry-run=server
kubectl delete --help
kubectl logs -l app=delete
kubectl rollout restart deploy/web
kubectl rollout undo deploy/web
kubectl scale deploy/web --replicas=3
kubectl apply -f k8s/
kubectl cordon n1
kubectl config get-contexts
kubectl explain namespace
kubectl api-resources --verbs=delete
kubectl auth can-i delete ns
helm list -A
helm upgrade --install web ./chart
helm rollback web 1
helm uninstall web --dry-run
helm template web ./chart
helm repo remove old
helm history uninstall
flux get all
argocd app list
argocd app diff web
eksctl get clusters
kind get clusters
kind create cluster
k3d cluster list
minikube stop
minikube status
docker ps -a
docker rm web
docker rm -f test-db
docker stop web
docker rmi web:old
docker rm $(docker ps -aq --filter label=test)
docker compose down
docker compose down --remove-orphans
docker compose rm -f web
docker compose up -d -V
docker compose -f x.yml logs -f
docker compose --dry-run down -v
docker volume ls
docker volume create data
docker system df
docker buildx prune -f
docker builder prune
docker run --rm -v data:/data alpine ls /data
docker image ls
docker network ls
docker volume prune --help
podman ps -a
vagrant status
vagrant halt
virsh list --all
multipass list
aws sts get-caller-identity
aws ec2 describe-instances --filters Name=tag:x,Values=delete
aws s3 ls s3://delete-me
aws s3 rm s3://b/p --recursive --dryrun
aws s3 sync dist s3://b
aws s3 sync dist s3://b --delete --dryrun
aws s3 cp x s3://b/rb
aws ec2 terminate-instances help
aws ec2 terminate-instances --instance-ids i --dry-run
aws cloudformation describe-stacks --stack-name delete-old
aws logs tail /aws/lambda/delete-user
aws lambda invoke --function-name delete-user out.json
aws ec2 start-instances --instance-ids i
aws iam list-users
aws rds describe-db-instances
aws ec2 terminate-instances --generate-cli-skeleton
gcloud compute instances list
gcloud compute instances describe delete
gcloud config list
gcloud config configurations delete old
gcloud components remove x
gcloud projects list --filter=delete
gcloud run deploy web --image i
gcloud logging read 'protoPayload.methodName:delete'
gsutil ls gs://b
gsutil cp x gs://b
gsutil rsync -n -d dist gs://b
az vm list
az group show -n delete
az group list --query "[?name=='delete']"
az vm start -g g -n v
az group delete --help
az extension remove -n x
az account show
doctl compute droplet list
hcloud server list
oci compute instance list
heroku logs --tail
heroku ps
heroku ps:scale web=2
heroku apps:destroy --help
fly status
fly deploy
fly logs -a destroy
vercel ls
vercel --prod
netlify status
wrangler deploy
wrangler tail
wrangler delete --dry-run
firebase deploy --only hosting
supabase start
supabase stop
railway logs
stripe listen
stripe customers list
gh repo view me/app
gh pr list --search 'delete repo'
gh pr merge 5 --squash --delete-branch
gh pr close 5
gh issue create -t 'repo delete fails' -b 'gh repo delete'
gh issue comment 5 -b 'gh api -X DELETE x'
gh release list
gh run list
gh run rerun 5
gh api repos/me/app
gh api repos/me/app/issues -f title='delete me'
gh api graphql -f query='{ viewer { login } }'
gh api graphql -f query='mutation { addStar(input: {starrableId: "x"}) { clientMutationId } }'
gh repo delete --help
gh search code delete
glab mr list
glab ci status
npm publish --dry-run
npm unpublish app --dry-run
npm view app
npm uninstall left-pad
npm run delete
npm owner ls app
cargo build
cargo yank --undo --version 1.0.0
gem list
rclone ls remote:bucket
rclone copy dist remote:bucket
rclone sync dist remote:bucket --dry-run
rsync -av dist/ web:/srv/www/
rsync -avn --delete dist/ web:/srv/www/
mc ls minio
restic snapshots
restic forget --keep-last 3 --dry-run
borg list repo
borg prune --dry-run --list --keep-daily 7 repo
velero backup get
kafka-topics.sh --bootstrap-server b --list
kafka-topics.sh --bootstrap-server b --describe --topic delete
rabbitmqctl list_queues
nats stream ls
curl https://api.example.com/users
curl -X POST https://api.example.com/delete -d '{"id":1}'
curl -X GET https://api.example.com/DELETE
curl -X DELETE http://localhost:3000/todos/1
curl -s -XDELETE "http://127.0.0.1:8080/items/$ID"
curl -X DELETE http://[::1]:5173/x
http DELETE :8000/items/1
http GET https://api.example.com/x
wget https://example.com/DELETE
curl -d 'method=DELETE' https://api.example.com/x
systemctl status nginx
systemctl restart nginx
systemctl --user stop dev-server
systemctl list-units
service nginx restart
launchctl list
journalctl -u stop
shutdown -c
last reboot
kill 12345
kill -9 12345
kill -1 12345
kill %1
kill $(lsof -ti:3000)
pkill -f vite
pkill -9 node
killall node
id bob
iptables -L -n
ufw status
ip addr
ip route show
ip link set eth0 up
nmcli con show
lvs
zfs list
btrfs subvolume list /
echo 'terraform destroy -auto-approve'
echo kubectl delete ns prod
grep -rn 'aws s3 rb' scripts/
git commit -m 'run terraform destroy and docker system prune'
git log --grep='kubectl delete'
rg 'curl -X DELETE' docs
man reboot
which shutdown
printf '%s\n' 'gh repo delete'
cat <<'EOF' > notes.md⏎kubectl delete namespace prod⏎terraform destroy⏎EOF
`
