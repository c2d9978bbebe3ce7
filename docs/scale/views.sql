-- Decisions in permgate's log as two common schemas: docs/fleet.md. The variable log names its files; a pattern is fine.
-- No view has the machine: permgate does not know its name, and the collector adds it.

CREATE VIEW decisions AS
SELECT entry ->> 'Timestamp' AS time, entry ->> 'Body' AS reason, (entry ->> '$.Resource."service.version"') AS version,
       a ->> '$."session.id"' AS session, a ->> '$."permgate.host"' AS program, a ->> '$."gen_ai.tool.name"' AS tool,
       a ->> '$."gen_ai.tool.call.id"' AS call, a -> '$."gen_ai.tool.call.arguments"' AS arguments,
       a ->> '$."gen_ai.tool.call.arguments".command' AS command, a ->> '$."gen_ai.tool.call.arguments".file_path' AS file,
       a ->> '$."process.working_directory"' AS cwd, a ->> '$."permgate.answered"' AS answer,
       coalesce(a ->> '$."permgate.rule"', a ->> '$."permgate.check"') AS rule, a ->> '$."permgate.code"' AS code,
       a ->> '$."permgate.policy_hash"' AS policy, (a ->> '$."permgate.duration_us"')::BIGINT AS microseconds
FROM (SELECT json AS entry, json -> 'Attributes' AS a FROM read_ndjson_objects(getvariable('log'), ignore_errors = true))
WHERE (entry ->> 'EventName') = 'permgate.decision' AND (a ->> '$."permgate.schema"') = '1';

-- Elastic Common Schema 9.1, event and process fields: https://www.elastic.co/docs/reference/ecs (2026-08).
-- A refused call has type denied; one that is asked about, or left to the program, has only info.
CREATE VIEW ecs AS
SELECT time AS "@timestamp", '9.1.0' AS "ecs.version", 'event' AS "event.kind",
       CASE WHEN command IS NOT NULL THEN ['process'] WHEN file IS NOT NULL THEN ['file'] ELSE ['api'] END AS "event.category",
       CASE answer WHEN 'allow' THEN ['info', 'allowed'] WHEN 'deny' THEN ['info', 'denied'] ELSE ['info'] END AS "event.type",
       tool AS "event.action", 'permgate' AS "event.provider", call AS "event.id", reason AS "event.reason", code AS "event.code",
       microseconds * 1000 AS "event.duration", command AS "process.command_line", cwd AS "process.working_directory",
       file AS "file.path", rule AS "rule.name", 'permgate' AS "observer.product", version AS "observer.version",
       {'session': session, 'program': program, 'answer': answer, 'policy': policy} AS "labels"
FROM decisions;

-- OCSF 1.5, class API Activity (6003) with the profile security_control: https://schema.ocsf.io (2026-08). What is asked
-- about, or left to the program, has action 99, with the answer in its own word: neither allowed nor denied.
CREATE VIEW ocsf AS
SELECT 6003 AS class_uid, 6 AS category_uid, 99 AS activity_id, 600399 AS type_uid, tool AS activity_name,
       epoch_ms(time::TIMESTAMPTZ) AS time, CASE answer WHEN 'deny' THEN 3 ELSE 1 END AS severity_id,
       CASE answer WHEN 'allow' THEN 1 WHEN 'deny' THEN 2 ELSE 99 END AS action_id, answer AS "action",
       CASE answer WHEN 'allow' THEN 1 WHEN 'deny' THEN 2 ELSE 99 END AS disposition_id, answer AS disposition,
       {'version': '1.5.0', 'profiles': ['security_control'], 'uid': call,
        'product': {'name': 'permgate', 'vendor_name': 'permgate', 'version': version}} AS metadata,
       {'app_name': program, 'session': {'uid': session}} AS actor,
       {'operation': tool, 'request': {'uid': call, 'data': arguments}} AS api,
       {'name': 'local'} AS src_endpoint, {'name': rule, 'desc': code} AS firewall_rule, reason AS message
FROM decisions;

-- name: decisions by category and type (ECS)
SELECT "event.category" AS category, "event.type" AS type, count(*) AS calls FROM ecs GROUP BY ALL ORDER BY calls DESC, category, type;

-- name: decisions by action (OCSF)
SELECT action_id, "action", count(*) AS calls FROM ocsf GROUP BY ALL ORDER BY calls DESC, action_id, "action";
