-- Questions to permgate's log: docs/scale.md. The variable log names its files; a pattern is fine.

-- A line of the log holds a call and its answer.
CREATE VIEW log AS
SELECT entry ->> 'Timestamp' AS time, a ->> '$."session.id"' AS session, a ->> '$."permgate.host"' AS host,
       a ->> '$."gen_ai.tool.name"' AS tool, a ->> '$."permgate.answered"' AS answer, a ->> '$."permgate.rule"' AS rule,
       a ->> '$."permgate.rule_place"' AS place, a ->> '$."permgate.check"' AS "check", a ->> '$."permgate.part"' AS part
FROM (SELECT json AS entry, json -> 'Attributes' AS a FROM read_ndjson_objects(getvariable('log'), ignore_errors = true))
WHERE (entry ->> 'EventName') = 'permgate.decision' AND (a ->> '$."permgate.schema"') = '1';

-- name: answers by tool
SELECT tool, answer, count(*) AS calls FROM log GROUP BY ALL ORDER BY calls DESC, tool, answer;

-- name: prompts per session
WITH sessions AS (SELECT count(*) FILTER (answer = 'ask') AS prompts FROM log GROUP BY host, session)
SELECT count(*) AS sessions, sum(prompts)::BIGINT AS prompts, quantile_disc(prompts, 0.5) AS p50,
       quantile_disc(prompts, 0.9) AS p90, max(prompts) AS most
FROM sessions;

-- name: rules and checks by hits
SELECT coalesce(rule, 'check ' || "check") AS rule, place, answer, count(*) AS calls
FROM log WHERE rule IS NOT NULL OR "check" IS NOT NULL
GROUP BY ALL ORDER BY calls DESC, rule, place, answer;
