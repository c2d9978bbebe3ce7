-- The view decisions of views.sql for ClickHouse, over a table with one line of the log in each row: docs/fleet.md.
CREATE TABLE permgate_log (line String, machine String, received DateTime DEFAULT now()) ENGINE = MergeTree ORDER BY received;

CREATE VIEW permgate_decisions AS
SELECT machine, parseDateTime64BestEffort(JSONExtractString(line, 'Timestamp'), 6) AS time, JSONExtractString(line, 'Body') AS reason,
       JSONExtractRaw(line, 'Attributes') AS a, JSONExtractString(a, 'session.id') AS session,
       JSONExtractString(a, 'permgate.host') AS program, JSONExtractString(a, 'gen_ai.tool.name') AS tool,
       JSONExtractString(a, 'gen_ai.tool.call.arguments', 'command') AS command,
       JSONExtractString(a, 'permgate.answered') AS answer, JSONExtractString(a, 'permgate.rule') AS rule,
       JSONExtractString(a, 'permgate.check') AS check, JSONExtractString(a, 'permgate.policy_hash') AS policy
FROM permgate_log
WHERE JSONExtractString(line, 'EventName') = 'permgate.decision' AND JSONExtractInt(a, 'permgate.schema') = 1;
