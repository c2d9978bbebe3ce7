-- Questions to recorded calls and what permgate check --lines answers: docs/scale.md.
-- Two variables name the files: calls (payloads, one per line) and answers.

-- A call has its line in calls; blank and broken lines count, as they do for check.
CREATE VIEW calls AS
SELECT row_number() OVER () AS line, try_cast(text AS JSON) AS call
FROM read_csv(getvariable('calls'), columns = {'text': 'VARCHAR'}, auto_detect = false, header = false,
              delim = '', quote = '', escape = '', max_line_size = 67108864);

CREATE VIEW answers AS
SELECT * FROM read_json(getvariable('answers'), format = 'newline_delimited', columns = {
  line: 'BIGINT', error: 'VARCHAR', answer: 'VARCHAR', decision: 'VARCHAR', step: 'VARCHAR', tool: 'VARCHAR', part: 'VARCHAR',
  reason: 'VARCHAR', host: 'VARCHAR', mode: 'VARCHAR', code: 'VARCHAR', "check": 'VARCHAR',
  rule: 'STRUCT(text VARCHAR, list VARCHAR, scope VARCHAR, file VARCHAR, line BIGINT, col BIGINT)'});

-- Each call with its answer, by the line; a call that was recorded twice counts once.
CREATE VIEW decided AS
SELECT answers.*, coalesce(call ->> 'session_id', '') AS session, call ->> '$.tool_input.command' AS command
FROM calls JOIN answers USING (line)
WHERE error IS NULL
QUALIFY (call ->> 'tool_use_id') IS NULL OR row_number() OVER (PARTITION BY host, call ->> 'tool_use_id' ORDER BY line) = 1;

-- name: totals
SELECT answer, count(*) AS calls FROM decided GROUP BY ALL ORDER BY calls DESC, answer;

-- name: answers by tool
SELECT tool, answer, count(*) AS calls FROM decided GROUP BY ALL ORDER BY calls DESC, tool, answer;

-- name: prompts per session
WITH sessions AS (SELECT count(*) FILTER (answer = 'ask') AS prompts FROM decided GROUP BY host, session)
SELECT count(*) AS sessions, sum(prompts)::BIGINT AS prompts, quantile_disc(prompts, 0.5) AS p50,
       quantile_disc(prompts, 0.9) AS p90, max(prompts) AS most
FROM sessions;

-- name: rules and checks by hits
SELECT coalesce(rule.text, 'check ' || "check") AS rule, rule.file || ':' || rule.line || ':' || rule.col AS place, answer, count(*) AS calls
FROM decided WHERE rule IS NOT NULL OR "check" IS NOT NULL
GROUP BY ALL ORDER BY calls DESC, rule, place, answer;

-- name: commands that ask most
SELECT command, any_value(reason) AS why, count(*) AS calls, count(DISTINCT session) AS sessions
FROM decided WHERE answer = 'ask' AND command IS NOT NULL
GROUP BY command ORDER BY calls DESC, command LIMIT 20;
