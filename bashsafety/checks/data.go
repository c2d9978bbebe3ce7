package checks

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/interp"
	"github.com/permgate--owner/permgate/bashsafety/remote"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// dataChecks find what deletes what is no file: databases and what is kept in
// secret stores.
var dataChecks = []interp.Check{
	{
		ID:       "database-drop",
		Title:    "deletes a database or everything in it",
		Why:      "only a backup can restore it",
		Instead:  "`pg_dump app` for a backup first, then let the user delete it",
		Severity: interp.Destructive,
		Fails: []string{
			"mysqladmin shutdown", "mongoimport --drop -c u a.json", "etcdctl member remove x",
			"dropdb app", "dropdb --if-exists -h db app", "dropuser bob", "mysqladmin -u root drop app", "mysqladmin -f drop app", "pg_restore --clean -d app a.dump",
			"pg_restore -c -d app a.dump", "mongorestore --drop dump/", "supabase db reset --linked", "turso db destroy app --yes", "pscale database delete app main --force",
			"heroku pg:reset DATABASE_URL --confirm app", "wp db reset --yes", "wp --path=x db drop", "drush sql:drop -y", "docker exec db dropdb app", "bq rm -r -f ds",
			"etcdctl del '' --prefix", "influx bucket delete -n b", "rabbitmqctl force_reset", "kafka-topics --bootstrap-server b:9092 --delete --topic t", "sudo -u postgres dropdb app",
			"echo flush_all | nc cache 11211", "couchbase-cli bucket-flush -c h --bucket b", "sqlite-utils drop-table a.db t", "pg_dropcluster 16 main", "wrangler d1 delete app", "neonctl branches delete b",
		},
		Passes: []string{
			"mongoimport -c u a.json", "etcdctl member list",
			"createdb app", "pg_dump app", "mysqladmin status", "pg_restore -d app a.dump", "supabase db diff", "turso db list", "wp db export", "dropdb --help", "etcdctl get k",
			"echo dropdb app", "git commit -m 'dropdb app'", "man dropdb", "grep -n mysqladmin drop", "kafka-topics --list --bootstrap-server b", "influx bucket list", "which dropdb",
			"mongorestore dump/", "bq ls ds", "wp db check",
		},
		Find: func(s *interp.Analysis) []interp.Finding {
			return slices.Concat(formed(s, ofDatabases, databaseForms), cleansFirst(s), flushesCache(s))
		},
	},
	{
		ID:       "framework-reset",
		Title:    "drops or empties an application's database",
		Why:      "the tables are recreated without their data",
		Instead:  "`rails db:migrate` or its equivalent, which changes the tables and keeps the data",
		Severity: interp.Destructive,
		Fails: []string{
			"drizzle-kit push --force", "dotnet ef database update 0", "bin/magento setup:uninstall", "bench --site x drop-site x", "atlas schema apply --auto-approve -u x", "python -m django flush",
			"rails db:drop", "bin/rails db:reset", "bundle exec rake db:schema:load", "RAILS_ENV=production rails db:drop:all", "npx prisma migrate reset --force", "prisma migrate reset -f",
			"pnpm prisma db push --force-reset", "yarn prisma@5 migrate reset", "php artisan migrate:fresh --seed", "php artisan db:wipe", "./vendor/bin/sail artisan migrate:refresh", "python manage.py flush --no-input",
			"./manage.py reset_db", "uv run python manage.py migrate app zero", "django-admin flush", "npx knex migrate:rollback --all", "npx sequelize-cli db:drop", "sequelize db:migrate:undo:all",
			"typeorm schema:drop -d x", "alembic downgrade base", "poetry run alembic -c a.ini downgrade base", "flask db downgrade base", "mix ecto.drop", "mix ecto.reset", "mix do ecto.drop, ecto.create", "flyway clean",
			"flyway -url=x clean", "./gradlew flywayClean", "mvn flyway:clean", "liquibase --url=x drop-all", "php bin/console doctrine:database:drop --force", "symfony console doctrine:schema:drop --force",
			"npx drizzle-kit drop", "dotnet ef database drop -f", "docker compose exec web rails db:drop", "kubectl exec p -- python manage.py flush", "php -d memory_limit=-1 artisan migrate:fresh",
			"python -m alembic downgrade base", "node ace migration:fresh", "medusa db:rollback", "heroku run rails db:reset", "diesel database reset", "sqlx database drop -y", "goose postgres x reset", "migrate -path m -database x drop -f",
			"dbmate drop", "sea-orm-cli migrate fresh", "hanami db drop", "atlas schema clean -u x", "goose down-to 0",
		},
		Passes: []string{
			"npx drizzle-kit push", "dotnet ef database update Init", "bin/magento setup:upgrade", "atlas schema apply -u x", "python -m django migrate",
			"rails db:migrate", "rails db:prepare", "rake -T db", "prisma migrate dev", "npx prisma db push", "php artisan migrate", "php artisan migrate:status", "python manage.py migrate", "alembic upgrade head",
			"alembic downgrade -1", "mix ecto.migrate", "knex migrate:rollback", "flyway info", "liquibase update", "echo rails db:drop", "git commit -m 'rails db:drop'", "grep -rn db:drop lib", "prisma migrate reset --help",
			"rails routes -g db:drop", "ls flyway clean", "make clean", "mvn clean", "./gradlew clean", "doctrine:database:create", "php bin/console doctrine:database:drop --dump-sql", "npx drizzle-kit generate",
			"rails generate migration drop", "flask db migrate", "dotnet ef database update", "python manage.py migrate app 0004", "npm run clean", "rspec spec/db_reset_spec.rb", "python manage.py sqlflush",
		},
		Find: func(s *interp.Analysis) []interp.Finding { return formed(s, ofResets, resetForms) },
	},
	{
		ID:       "secret-store-delete",
		Title:    "deletes secrets from a secret store",
		Why:      "programs that need the secret stop working, and most stores keep no copy",
		Instead:  "`vault kv list secret` to look first, then let the user delete it",
		Severity: interp.Destructive,
		Fails: []string{
			"vault operator seal", "vault operator raft remove-peer x", "bw purge", "keyctl clear @u",
			"vault kv delete secret/app", "vault kv metadata delete secret/app", "vault kv destroy -versions=1 secret/app", "vault secrets disable kv/", "vault -address=https://v delete secret/x", "vault auth disable github",
			"vault policy delete p", "vault token revoke -self", "vault lease revoke -prefix aws/", "doppler secrets delete KEY -y", "doppler -p app secrets delete KEY", "op item delete x", "op vault delete v", "op document delete d",
			"security delete-generic-password -s x", "security delete-keychain login.keychain", "security delete-certificate -c x", "secret-tool clear k v", "pass rm -f site", "pass remove site", "gopass rm -r site", "bw delete item x",
			"infisical secrets delete K", "gpg --delete-secret-keys X", "gpg2 --batch --yes --delete-secret-and-public-key X", "heroku config:unset KEY", "chamber delete svc key", "fly secrets unset K", "kubectl exec v -- vault kv delete secret/x",
			"consul kv delete -recurse app/", "lpass rm x", "keyring del s u", "keepassxc-cli rm a.kdbx x", "wrangler secret delete K", "vercel env rm K production", "netlify env:unset K", "supabase secrets unset K", "bws secret delete x",
			"cmdkey /delete:x",
		},
		Passes: []string{
			"vault operator raft list-peers", "keyctl show",
			"vault kv get secret/app", "vault kv list secret", "vault kv put secret/app a=b", "vault status", "doppler secrets", "op item get x", "security find-generic-password -s x", "secret-tool lookup k v", "pass show site", "pass ls",
			"bw list items", "gpg --delete-keys X", "gpg -k", "heroku config", "heroku config:set A=b", "echo vault kv delete x", "git log --grep 'vault kv delete'", "vault kv delete --help", "fly secrets list", "vault kv get -field=delete secret/x",
			"man pass rm", "gopass ls", "grep -rn secret-tool clear", "infisical secrets", "pass git log rm",
		},
		Find: func(s *interp.Analysis) []interp.Finding { return formed(s, ofSecrets, secretForms) },
	},
}

// databaseForms are the programs that delete databases without SQL.
var databaseForms = []remote.Form{
	{Names: "dropdb dropuser pg_dropcluster pg_resetwal", Unless: "-? -V"},
	{Names: "mysqladmin mariadb-admin", Words: "drop|shutdown", Among: true},
	{Names: "mongoimport", With: "--drop"},
	{Names: "mongorestore", With: "--drop", Unless: "--dryRun"},
	{Names: "supabase", Words: "db reset"},
	{Names: "turso", Words: "db|group destroy"},
	{Names: "pscale", Words: "database|branch|db delete"},
	{Names: "neonctl neon", Words: "projects|project|branches|branch|databases|database delete"},
	{Names: "atlas", Words: "clusters|cluster|projects|project delete"},
	{Names: "heroku", Words: "pg:reset|redis:destroy|addons:destroy"},
	{Names: "wrangler", Words: "d1|r2 delete"},
	{Names: "wp", Words: "db reset|drop|clean"},
	{Names: "wp", Words: "site empty"},
	{Names: "drush", Words: "sql:drop|sql-drop|site:install|site-install|si"},
	{Names: "bq", Words: "rm"},
	{Names: "etcdctl", Words: "del"},
	{Names: "etcdctl", Words: "member|user|role remove|delete"},
	{Names: "influx", Words: "bucket|org delete"},
	{Names: "influx", Words: "delete"},
	{Names: "rabbitmqctl", Words: "reset|force_reset|delete_vhost|delete_queue|purge_queue|delete_user"},
	{Names: "kafka-topics kafka-topics.sh", With: "--delete"},
	{Names: "couchbase-cli", Words: "bucket-delete|bucket-flush|collection-manage"},
	{Names: "sqlite-utils", Words: "drop-table|drop-view|delete"},
	{Names: "neo4j-admin", Words: "database delete|wipe"},
	{Names: "nodetool", Words: "clearsnapshot|truncatehints"},
	{Names: "edgedb gel", Words: "database|branch|instance drop|destroy|wipe"},
}

// resetForms are the commands by which frameworks drop what they store.
var resetForms = []remote.Form{
	{
		Names: "rails rake jrake", Among: true, Unless: "-T --tasks -n --dry-run -D --describe -P --prereqs -g",
		Words: "db:drop|db:drop:*|db:reset|db:reset:*|db:purge|db:purge:*|db:schema:load|db:schema:load:*|db:structure:load|db:migrate:reset|" +
			"db:truncate_all|db:seed:replant|db:mongoid:drop|db:mongoid:purge|db:mongoid:reset|parallel:drop",
	},
	{Names: "hanami", Words: "db drop|reset"},
	{Names: "prisma", Words: "migrate reset"},
	{Names: "prisma", Words: "db push", With: "--force-reset --accept-data-loss"},
	{Names: "artisan", Words: "migrate:fresh|migrate:reset|migrate:refresh|db:wipe|tenants:migrate-fresh|schema:drop", Unless: "--pretend"},
	{Names: "ace", Words: "migration:fresh|migration:reset|migration:refresh|db:wipe|db:truncate", Unless: "--dry-run"},
	{Names: "manage.py django-admin django-admin.py", Words: "flush|reset_db|reset_schema|drop_test_database"},
	{Names: "manage.py django-admin django-admin.py", Words: "migrate * zero", Unless: "--plan"},
	{Names: "knex", Words: "migrate:rollback", With: "--all"},
	{Names: "sequelize sequelize-cli", Words: "db:drop|db:migrate:undo:all|db:seed:undo:all"},
	{Names: "typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm", Words: "schema:drop"},
	{Names: "mikro-orm", Words: "schema:drop|schema:fresh|migration:fresh", Unless: "--dump -d"},
	{Names: "drizzle-kit", Words: "drop"},
	{Names: "drizzle-kit", Words: "push", With: "--force"},
	{Names: "medusa", Words: "db:rollback"},
	{Names: "alembic flask-migrate", Words: "downgrade base", Unless: "--sql"},
	{Names: "flask", Words: "db downgrade base", Unless: "--sql"},
	{Names: "mix", Words: "ecto.drop|ecto.reset|ecto.drop,|ecto.reset,|ash.reset|ash_postgres.drop", Among: true},
	{Names: "mix", Words: "ecto.rollback", With: "--all"},
	{Names: "flyway", Words: "clean", Among: true},
	{Names: "gradle gradlew", Words: "flywayClean|dropAll|*:flywayClean|liquibaseDropAll", Among: true, Unless: "-m --dry-run"},
	{Names: "mvn mvnw mvnd", Words: "flyway:clean|liquibase:dropAll|hibernate:drop", Among: true},
	{Names: "liquibase", Words: "drop-all|dropAll", Among: true},
	{Names: "console doctrine doctrine.php cake", Among: true, Unless: "--dump-sql --append",
		Words: "doctrine:database:drop|doctrine:schema:drop|doctrine:fixtures:load|orm:schema-tool:drop|dbal:database:drop|d:d:d|d:s:d"},
	{Names: "dotnet", Words: "ef database drop", Unless: "--dry-run"},
	{Names: "dotnet-ef", Words: "database drop", Unless: "--dry-run"},
	{Names: "dotnet", Words: "ef database update 0"},
	{Names: "dotnet-ef", Words: "database update 0"},
	{Names: "magento", Words: "setup:uninstall", Among: true},
	{Names: "bench", Words: "drop-site|reinstall", Among: true},
	{Names: "diesel", Words: "database|db reset|drop"},
	{Names: "sqlx", Words: "database|db drop|reset"},
	{Names: "sea-orm-cli", Words: "migrate fresh|refresh|reset"},
	{Names: "goose", Words: "reset", Among: true},
	{Names: "goose", Words: "down-to 0", Among: true},
	{Names: "migrate golang-migrate", Words: "drop", Among: true},
	{Names: "migrate golang-migrate", Words: "down", Among: true, With: "-all --all"},
	{Names: "dbmate", Words: "drop", Among: true},
	{Names: "atlas", Words: "schema clean"},
	{Names: "atlas", Words: "schema apply", With: "--auto-approve", Unless: "--dry-run"},
	{Names: "hasura", Words: "migrate apply", With: "--down"},
	{Names: "loco loco-cli", Words: "db reset|truncate|drop"},
}

// secretForms are the commands that delete from secret stores and keyrings.
var secretForms = []remote.Form{
	{Names: "vault bao", Words: "delete"},
	{Names: "vault bao", Words: "kv delete|destroy"},
	{Names: "vault bao", Words: "kv metadata delete"},
	{Names: "vault bao", Words: "secrets|auth|audit disable"},
	{Names: "vault bao", Words: "policy|namespace|plugin delete|deregister"},
	{Names: "vault bao", Words: "token|lease revoke"},
	{Names: "vault bao", Words: "operator seal|step-down"},
	{Names: "vault bao", Words: "operator raft remove-peer"},
	{Names: "doppler", Words: "secrets|projects|configs|environments|configs:tokens delete"},
	{Names: "op", Words: "item|document|vault|user|group|connect delete", Unless: "--archive"},
	{Names: "op", Words: "connect token|server delete"},
	{Names: "security", Words: "delete-*"},
	{Names: "secret-tool", Words: "clear"},
	{Names: "pass gopass passage", Words: "rm|remove|delete|del"},
	{Names: "gopass", Words: "mounts|recipients rm|remove|delete|deauthorize"},
	{Names: "bw", Words: "delete|purge"},
	{Names: "berglas", Words: "delete"},
	{Names: "akeyless", Words: "delete-*"},
	{Names: "keyctl", Words: "clear|unlink|revoke|purge"},
	{Names: "bws", Words: "secret|project delete"},
	{Names: "lpass", Words: "rm"},
	{Names: "keyring", Words: "del"},
	{Names: "keepassxc-cli", Words: "rm|rmdir"},
	{Names: "kwallet-query", With: "-d"},
	{Names: "infisical", Words: "secrets delete"},
	{Names: "infisical", Words: "secrets folders delete"},
	{Names: "gpg gpg2", With: "--delete-secret-keys --delete-secret-key --delete-secret-and-public-key --delete-secret-and-public-keys"},
	{Names: "heroku", Words: "config:unset|config:remove"},
	{Names: "chamber", Words: "delete"},
	{Names: "fly flyctl", Words: "secrets unset"},
	{Names: "consul", Words: "kv delete"},
	{Names: "wrangler", Words: "secret delete"},
	{Names: "vercel", Words: "env rm|remove"},
	{Names: "netlify", Words: "env:unset"},
	{Names: "supabase", Words: "secrets unset"},
	{Names: "credhub", Words: "delete"},
	{Names: "conjur", Words: "policy replace"},
	{Names: "cmdkey", Words: "/delete*|-delete*"},
	{Names: "step", Words: "ca revoke"},
}

// formed reports the subcommands that have one of the forms of a table.
func formed(s *interp.Analysis, of uint16, forms []remote.Form) []interp.Finding {
	return remote.RunningTools(s, func(t *interp.Tool) bool {
		return t.Tables&of != 0 && slices.ContainsFunc(forms, func(f remote.Form) bool {
			return shell.Listed(f.Names, t.Name) && f.Fits(t.Args)
		})
	})
}

// cleansFirst is pg_restore that drops what it is about to make.
func cleansFirst(s *interp.Analysis) []interp.Finding {
	return matching(s, "pg_dump", func(c *commands.Invocation, _ *interp.Subcommand) bool {
		restores := commands.TableName(commands.ProgramName(c.Argv)) == "pg_restore"
		return restores && c.Has("c", "clean") && !c.Has("list", "f", "file")
	})
}

// flushesCache is the word that empties memcached or Redis, sent by hand.
func flushesCache(s *interp.Analysis) []interp.Finding {
	var all []interp.Finding
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		if !shell.Listed("nc ncat netcat telnet socat", sub.Program) {
			continue
		}
		for _, text := range fedTexts(s, i) {
			for line := range strings.SplitSeq(lang.Unescaped(strings.ToLower(text)), "\n") {
				word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
				if shell.Listed("flush_all flushall flushdb", word) {
					all = append(all, interp.Finding{Sub: i, Span: sub.Span})
				}
			}
		}
	}
	return all
}
