-- How an application uses the API, by the hour and the bucket of rate limits. The edges report it every few seconds. A row
-- stays for seven days, and ends with its application.
CREATE TABLE application_usage (
  application_id  bigint          NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
  -- The hour in which the report arrived.
  hour            timestamptz(0)  NOT NULL,
  bucket          text            NOT NULL,
  requests        bigint          NOT NULL,
  -- Of those, the ones that were answered with 429.
  limited         bigint          NOT NULL,
  PRIMARY KEY (application_id, hour, bucket)
);
CREATE INDEX application_usage_hour_idx ON application_usage (hour);

-- The last failed requests of an application: about 50, for seven days at most. They end with their application.
CREATE TABLE application_errors (
  id              bigint          GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  application_id  bigint          NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
  occurred_at     timestamptz(3)  NOT NULL,
  method          text            NOT NULL,
  -- The route's pattern, without the values of its parameters.
  route           text            NOT NULL,
  status          smallint        NOT NULL,
  code            text            NOT NULL,
  request_id      text            NOT NULL
);
CREATE INDEX application_errors_application_id_idx ON application_errors (application_id, id);
CREATE INDEX application_errors_occurred_at_idx ON application_errors (occurred_at);

-- The reports that were added, so that a repeated one is added once. A row stays for an hour: edges give up sooner.
CREATE TABLE usage_reports (
  id           uuid            PRIMARY KEY,
  received_at  timestamptz(3)  NOT NULL DEFAULT now()
);
CREATE INDEX usage_reports_received_at_idx ON usage_reports (received_at);
