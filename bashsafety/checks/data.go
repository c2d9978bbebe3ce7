package checks

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/remote"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// dataChecks find what deletes what is no file: databases and what is kept in
// secret stores.
var dataChecks = []analysis.Check{
	{
		ID:       "database-drop",
		Title:    "deletes a database or everything in it",
		Why:      "only a backup can restore it",
		Instead:  "`pg_dump app` for a backup first, then let the user delete it",
		Severity: analysis.Destructive,
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
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return slices.Concat(formed(s, ofDatabases, databaseForms), cleansFirst(s), flushesCache(s))
		},
	},
	{
		ID:       "framework-reset",
		Title:    "drops or empties an application's database",
		Why:      "the tables are recreated without their data",
		Instead:  "`rails db:migrate` or its equivalent, which changes the tables and keeps the data",
		Severity: analysis.Destructive,
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
		Find: func(s *analysis.Analysis) []analysis.Finding { return formed(s, ofResets, resetForms) },
	},
	{
		ID:       "secret-store-delete",
		Title:    "deletes secrets from a secret store",
		Why:      "programs that need the secret stop working, and most stores keep no copy",
		Instead:  "`vault kv list secret` to look first, then let the user delete it",
		Severity: analysis.Destructive,
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
		Find: func(s *analysis.Analysis) []analysis.Finding { return formed(s, ofSecrets, secretForms) },
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
func formed(s *analysis.Analysis, of uint16, forms []remote.Form) []analysis.Finding {
	return remote.RunningTools(s, func(t *analysis.Tool) bool {
		return t.Tables&of != 0 && slices.ContainsFunc(forms, func(f remote.Form) bool {
			return shell.Listed(f.Names, t.Name) && f.Fits(t.Args)
		})
	})
}

// cleansFirst is pg_restore that drops what it is about to make.
func cleansFirst(s *analysis.Analysis) []analysis.Finding {
	return matching(s, "pg_dump", func(c *commands.Invocation, _ *analysis.Subcommand) bool {
		restores := commands.TableName(commands.ProgramName(c.Argv)) == "pg_restore"
		return restores && c.Has("c", "clean") && !c.Has("list", "f", "file")
	})
}

// flushesCache is the word that empties memcached or Redis, sent by hand.
func flushesCache(s *analysis.Analysis) []analysis.Finding {
	var all []analysis.Finding
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		if !shell.Listed("nc ncat netcat telnet socat", sub.Program) {
			continue
		}
		for _, text := range fedTexts(s, i) {
			for line := range strings.SplitSeq(lang.Unescaped(strings.ToLower(text)), "\n") {
				word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
				if shell.Listed("flush_all flushall flushdb", word) {
					all = append(all, analysis.Finding{Sub: i, Span: sub.Span})
				}
			}
		}
	}
	return all
}

// sqlChecks find the statements and commands by which data is deleted wholesale.
var sqlChecks = []analysis.Check{{
	ID:       "database-statement",
	Title:    "drops or empties data in a database",
	Why:      "deleted data is gone as soon as the statement runs",
	Instead:  "`psql -c 'SELECT count(*) FROM users WHERE id = 7'` to look first, then a statement with such a WHERE",
	Severity: analysis.Destructive,
	Fails: []string{
		"psql -c 'alter table users drop email'", "mysql -e 'alter table `users` drop `email`'", "psql -c 'delete from users where id is not null'", "psql -c 'delete from users where id > 0'", "psql -c 'delete from users where 2 > 1'", "psql -c \"delete from users where name like '%'\"", "psql -c \"copy t from program 'id'\"", "mysql -e 'reset master'", "redis-cli shutdown nosave", "redis-cli cluster reset hard", "redis-cli config set dir /x", "redis-cli replicaof h 6379", "redis-cli eval \"for _,k in ipairs(redis.call('keys','*')) do redis.call('del',k) end\" 0", "mongosh --eval \"db['dropDatabase']()\"", "mongosh --eval 'db.adminCommand({shutdown: 1})'", "python3 -c \"import sqlite3; sqlite3.connect('a.db').execute('DROP TABLE t')\"", "python3 - <<'E'\ncur.execute(\"\"\"TRUNCATE users\"\"\")\nE", "node -e \"db.query('DROP TABLE t')\"", "php -r 'DB::statement(\"DROP TABLE t\");'", "rails runner 'User.delete_all'", "bin/rails runner \"Admin::User.destroy_all\"", "echo 'User.delete_all' | rails console", "python manage.py shell -c 'User.objects.all().delete()'", "php artisan tinker --execute='User::truncate();'", "rails r 'ActiveRecord::Base.connection.execute(\"DROP TABLE t\")'",
		"psql -c 'DROP TABLE users'", "psql app -tAc 'drop database if exists x'", "psql -c 'drop index i'", "psql -c'truncate users cascade'", "psql --command='DELETE FROM users'", "psql -c 'delete from users where 1=1'", "psql -c 'UPDATE users SET admin = true'",
		"psql -c \"select 1; DROP SCHEMA public CASCADE\"", "psql <<'E'\n\\c app\nDROP TABLE a;\nE", "psql <<< 'truncate table a'", "echo 'DROP TABLE x;' | psql app", "printf 'DELETE FROM %s;\\n' a | psql", "cat <<'E' | psql -f -\ndrop table a;\nE",
		"psql -c 'with d as (delete from a returning *) select * from d'", "psql -c 'DO $$ BEGIN DROP TABLE a; END $$'", "psql -c 'ALTER TABLE a DROP COLUMN b'", "psql -c 'drop /* x */ table \"a b\"'",
		"mysql -e 'drop database app'", "mysql -uroot -p app -e 'TRUNCATE users'", "mysql app <<'E'\n# gone\ndelete from a;\nE", "mariadb -e \"delete from a where true\"", "mysql -e '/*!50000 DROP TABLE a */'", "mysql -e 'update a set b=1 limit 5'",
		"sqlite3 app.db 'DROP TABLE t'", "sqlite3 app.db 'delete from t; vacuum'", "sqlite3 app.db <<'E'\n.mode json\nDELETE FROM t;\nE", "sqlite3 -cmd 'drop table t' a.db", "echo 'drop table t;' | sqlite3 a.db",
		"duckdb a.db -c 'drop table t'", "clickhouse-client -q 'TRUNCATE TABLE t'", "clickhouse client --query 'drop database d'", "sqlcmd -S h -Q 'DROP TABLE t'", "sqlcmd <<'E'\nSELECT 1\nGO\nDELETE FROM t\nGO\nE",
		"bq query --use_legacy_sql=false 'DROP TABLE d.t'", "cockroach sql -e 'DROP DATABASE d CASCADE'", "cqlsh h -e 'TRUNCATE ks.t'", "influx -database d -execute 'DROP MEASUREMENT m'", "snowsql -q 'drop table t'", "trino --execute 'delete from t'",
		"docker exec db psql -U u -c 'DROP TABLE t'", "docker compose exec -T db mysql -e 'drop database d'", "echo 'drop table t' | docker exec -i db psql", "kubectl exec -i pg-0 -- psql -c 'truncate t'", "ssh db \"psql -c 'drop table t'\"",
		"ssh db psql <<'E'\ndrop table t;\nE", "su postgres -c \"psql -c 'drop database d'\"", "sudo -u postgres psql -c 'DROP DATABASE d'", "heroku pg:psql -c 'DROP TABLE t'", "wrangler d1 execute D --command 'DROP TABLE t'",
		"turso db shell d 'drop table t'", "wp db query 'truncate wp_posts'", "echo 'drop table t' | npx prisma db execute --stdin", "psql -f a.sql <<< x; cat > a.sql <<'E'\ndrop table t;\nE", "cypher-shell 'MATCH (n) DETACH DELETE n'",
		"mongosh app --eval 'db.dropDatabase()'", "mongo --eval 'db.users.drop()'", "mongosh --eval 'db.users.deleteMany({})'", "mongosh <<< 'db.users.remove({})'", "mongosh --eval 'db.runCommand({dropDatabase: 1})'", "docker exec m mongosh --eval \"db.getSiblingDB('x').dropDatabase()\"",
		"aws athena start-query-execution --query-string 'DROP TABLE t'", "aws rds-data execute-statement --sql='DELETE FROM t'", "gcloud spanner databases ddl update d --ddl='DROP TABLE t'", "aws dynamodb batch-execute-statement --statements '[{\"Statement\": \"DELETE FROM \\\"t\\\"\"}]'",
		"redis-cli FLUSHALL", "redis-cli -h h -n 2 flushdb async", "echo FLUSHALL | redis-cli", "redis-cli <<'E'\nselect 1\nflushdb\nE", "docker exec r redis-cli flushall", "redis-cli --scan | xargs redis-cli del", "valkey-cli flushall", "redis-cli eval 'redis.call(\"flushall\")' 0",
	},
	Passes: []string{
		"psql -c 'create temp table x (a int); drop table x'", "psql -c 'alter table t drop constraint c'", "psql -c 'delete from carts where total > 0'", "psql -c 'delete from t where name is not null'", "psql -c 'copy t to stdout'", "redis-cli config set maxmemory 1gb", "redis-cli cluster info", "redis-cli replicaof no one", "redis-cli eval \"return redis.call('get','k')\" 0", "python3 -c \"import sqlite3; sqlite3.connect(':memory:').execute('DROP TABLE t')\"", "python3 -c \"c.execute('SELECT 1')\"", "python3 -c \"print('DROP TABLE t'); run(x)\"", "rails runner 'User.where(spam: true).delete_all'", "rails runner 'puts \"User.delete_all\"; user.posts.delete_all'", "python manage.py shell -c 'User.objects.filter(id=1).delete()'", "php artisan tinker --execute='User::find(1)->delete();'",
		"psql -c 'select * from users'", "psql -c 'delete from users where id = 7'", "psql -c \"update users set a = 1 where id = 7\"", "psql -c \"insert into t values ('drop table x')\"", "psql -c 'select \"drop table\" from t'", "psql -c 'select 1 -- drop table t'",
		"psql -c 'create table t (a int)'", "psql -c 'insert into t values (1) on conflict do update set a = 1'", "psql -c 'alter table t drop constraint c'", "psql -c 'alter table t alter column a drop not null'", "psql -c 'explain delete from t'",
		"psql -c 'begin; delete from t; rollback'", "psql -c 'select * from t for update'", "psql -c 'grant delete on t to u'", "psql -c 'create table t (a int references b on delete cascade)'", "psql -d drop -c 'select 1'", "psql -c \"create rule r as on delete to t do nothing\"",
		"mysql -e \"select 'drop table t'\"", "mysql -e 'insert into t values (1) on duplicate key update a = 2'", "mysql -e 'select truncate(1.234, 2)'", "mysql -e '-- drop table t'", "mysql -e 'create temporary table x (a int); drop temporary table x'",
		"sqlite3 a.db 'select 1'", "sqlite3 a.db '.tables'", "sqlite3 :memory: 'create table t (a); drop table t'", "sqlite3 a.db \"delete from t where a = 'x'\"", "sqlite3 a.db <<'E'\nCREATE TRIGGER x AFTER INSERT ON t BEGIN\n DELETE FROM u;\nEND;\nE",
		"sqlite3 a.db 'drop index if exists i'", "grep -rn 'DROP TABLE' migrations", "git commit -m 'DROP TABLE users'", "echo 'DROP TABLE users'", "echo 'DROP TABLE users' > down.sql", "cat <<'E' > down.sql\nDROP TABLE users;\nE", "rg 'TRUNCATE|DELETE FROM' src", "sed -n '/DROP TABLE/p' a.sql",
		"psql -f schema.sql", "psql app < schema.sql", "mongosh --eval 'db.users.find()'", "mongosh --eval 'db.users.deleteMany({a: 1})'", "mongosh --eval 'print(\"db.dropDatabase()\")'", "mongosh --eval 'db.users.deleteOne({_id: 1})'", "redis-cli get flushall",
		"aws athena start-query-execution --query-string 'SELECT 1'", "aws ec2 describe-instances --query 'drop table t'", "redis-cli del key", "redis-cli info", "redis-cli set a FLUSHALL", "npx prisma migrate dev --name 'drop users'", "supabase migration new 'drop table users'", "alembic revision -m 'drop users'", "duckdb -c 'select 1'", "bq query 'select 1'", "gh pr create --title 'DROP TABLE' --body 'truncate users'", "echo flushall", "psql -c 'vacuum full'", "sqlcmd -Q 'select 1'",
		"python3 -c \"print('DROP TABLE t')\"", "docker exec db psql -c 'select 1'", "clickhouse-client -q 'select count() from t'", "cypher-shell 'MATCH (n) RETURN count(n)'", "jq '.[] | select(.sql == \"drop table t\")' a.json",
	},
	Find: deletesData,
}}

// A dataClient is a program that runs queries: every word it is given, and what
// it is fed, may be one.
type dataClient struct {
	Names  string
	Reader func(string) bool
	// Behind are the words a query comes after; "" where any word may be one.
	Behind string
}

var dataClients = [...]dataClient{
	{"psql pgcli usql ysqlsh pg:psql cockroach redshift vsql gsql edb-psql", func(t string) bool { return lang.SQLDeletes(t, lang.Postgres) }, ""},
	{"mysql mariadb mycli mysqlsh tidb clickhouse-client clickhouse clickhouse-local singlestore memsql", func(t string) bool { return lang.SQLDeletes(t, lang.MySQL) }, ""},
	{"sqlite3 sqlite litecli sqlcipher duckdb libsql", func(t string) bool { return lang.SQLDeletes(t, lang.SQLite) }, ""},
	{
		"sqlcmd mssql-cli bcp isql sqlplus sql tsql bq cqlsh influx snowsql snow trino presto impala-shell hive beeline spark-sql databricks osql db2 fbsql isql-fb surreal " +
			"cypher-shell pgbench steampipe athena dolt",
		statementDeletes, "",
	},
	{
		"aws aws2 gcloud az", statementDeletes, "--query-string --sql --sqls --sql-statement --sql-statements --statement --statements --cli-input-json " +
			"--ddl --querytext -q",
	},
	{
		"prisma wp drush pscale supabase turso d1 sqlite-utils atlas neonctl",
		func(t string) bool { return lang.SQLDeletes(t, lang.SQLite) }, "query sql-query sql:query sqlq execute shell --command -c -q -e --execute --query --sql",
	},
	{"mongosh mongo", remote.MongoDeletes, ""},
	{"redis-cli valkey-cli keydb-cli", remote.RedisDeletes, ""},
	{"python node ruby perl php", remote.CodeDeletes, "-c -e -r --eval -p -ne"},
	{"rails", remote.CodeDeletes, "runner r"},
	{"manage.py django-admin", remote.CodeDeletes, "shell shell_plus -c --command"},
	{"artisan", remote.CodeDeletes, "tinker --execute"},
}

// deletesData looks at the words of every client, at what it is fed, and at the
// files it runs that the same text writes.
func deletesData(s *analysis.Analysis) []analysis.Finding {
	return remote.RunningTools(s, func(t *analysis.Tool) bool {
		if t.Tables&ofClients == 0 {
			return false
		}
		client := clientOf(t.Name)
		return client != nil && clientDeletes(s, client, t)
	})
}

func clientDeletes(a *analysis.Analysis, client *dataClient, t *analysis.Tool) bool {
	switch {
	case shell.Listed("sqlite3 duckdb", t.Name) && inMemory(t.Args):
		return false
	case remote.Redis(t):
		if remote.RedisDeletes(oneText(remote.OperandsOf(t.Args))) {
			return true
		}
		if remote.RedisRemoves(t.Args) && byXargs(&a.Subcommands[t.Sub]) {
			return true
		}
	default:
		for i := range t.Args {
			if client.deletes(t.Args[i].Text) && client.isQuery(t.Args, i) {
				return true
			}
		}
	}
	return slices.ContainsFunc(fedTexts(a, t.Sub), client.Reader)
}

// fedMutations are the requests that send a mutation of GraphQL which deletes, where
// the same text says it on standard input or in a file.
func fedMutations(s *analysis.Analysis) []analysis.Finding {
	return remote.RunningAt(s, func(i int, sub *analysis.Subcommand) bool {
		asks := shell.Listed("curl wget http", sub.As) || shell.Listed("gh glab", sub.As) && remote.AnyWord(sub.Argv, "api")
		return asks && !remote.AsksItself(sub.Call) && slices.ContainsFunc(fedTexts(s, i), lang.PostsDeletion)
	})
}

// byXargs reports whether a program adds words to those of a subcommand.
func byXargs(s *analysis.Subcommand) bool {
	return slices.ContainsFunc(s.Via, func(via string) bool { return strings.Contains(via, "xargs") })
}

func clientOf(name string) *dataClient {
	if name == "" {
		return nil
	}
	for i := range dataClients {
		if shell.Listed(dataClients[i].Names, name) {
			return &dataClients[i]
		}
	}
	return nil
}

// deletes reports whether a word, or the value after the option it begins with,
// is a query that deletes.
func (d *dataClient) deletes(word string) bool {
	if len(word) < 4 {
		return false
	}
	if word[0] != '-' {
		return d.Reader(word)
	}
	if _, value, ok := strings.Cut(word, "="); ok && d.Reader(value) {
		return true
	}
	if word[1] == '-' {
		return false
	}
	for i := 2; i < min(len(word), 8); i++ { // -c'drop table t', -tAc...
		if d.Reader(word[i:]) {
			return true
		}
	}
	return false
}

// isQuery reports whether a word may be a query: an option with its value, or one
// that comes after such an option or verb, with at most another between.
func (d *dataClient) isQuery(args []shell.Word, i int) bool {
	if option, _, ok := strings.Cut(args[i].Text, "="); d.Behind == "" || ok && shell.Among(d.Behind, option) {
		return true
	}
	return slices.ContainsFunc(args[max(i-2, 0):i], // shell NAME QUERY
		func(w shell.Word) bool { return shell.Among(d.Behind, w.Text) })
}

// statementDeletes reports whether a text is a statement that deletes, the value of a
// field that is one, or JSON with one in a string.
func statementDeletes(text string) bool {
	_, value, _ := strings.Cut(text, "=")
	if lang.SQLDeletes(text, lang.Postgres) || lang.SQLDeletes(value, lang.Postgres) {
		return true
	}
	for text = strings.TrimSpace(lang.Unescaped(text)); shell.StartsWithAny(text, "{", "["); {
		at := strings.IndexByte(text[1:], '"') + 1
		if at == 0 {
			break
		}
		statement, rest, ok := commands.CodeString(text[at:])
		if ok && lang.SQLDeletes(statement, lang.Postgres) {
			return true
		}
		if !ok || len(rest) == 0 {
			break
		}
		text = text[:1] + rest
	}
	return false
}

// inMemory reports whether a client of a database in a file is given none.
func inMemory(args []shell.Word) bool {
	return slices.ContainsFunc(args, func(w shell.Word) bool { return w.Known && w.Text == ":memory:" })
}

// fedTexts are the texts that a subcommand may read from its standard input, or
// from a file of its own that the text writes: here-documents, and what is echoed.
func fedTexts(a *analysis.Analysis, i int) []string {
	var all []string
	sub := &a.Subcommands[i]
	if sub.StdinText != nil {
		all = append(all, sub.StdinText.Text)
	}
	for _, k := range sub.From {
		if k < len(a.Subcommands) {
			all = append(all, said(&a.Subcommands[k])...)
		}
	}
	for _, e := range sub.Effects {
		if e.Kind == shell.Read && e.Known {
			all = append(all, saidTo(a, e.Path)...)
		}
	}
	return all
}

// saidTo are the texts that subcommands print which write a file.
func saidTo(a *analysis.Analysis, path string) (all []string) {
	for k := range a.Subcommands {
		for _, e := range a.Subcommands[k].Effects {
			if e.Kind == shell.Write && e.Known && e.Path == path {
				all = append(all, said(&a.Subcommands[k])...)
			}
		}
	}
	return all
}

// said are the texts a subcommand prints, as far as they are in the text.
func said(s *analysis.Subcommand) []string {
	var all []string
	if s.StdinText != nil {
		all = append(all, s.StdinText.Text)
	}
	if shell.Listed("echo printf print yes", s.Program) && len(s.Argv) > 1 {
		all = append(all, oneText(s.Argv[1:]))
		for i := range s.Argv[1:] {
			all = append(all, s.Argv[1+i].Text)
		}
	}
	return all
}

func oneText(words []shell.Word) string {
	texts := make([]string, len(words))
	for i := range words {
		texts[i] = words[i].Text
	}
	return strings.Join(texts, " ")
}
