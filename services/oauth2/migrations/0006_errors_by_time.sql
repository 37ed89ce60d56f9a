-- The errors of an application are read by their time, because reports of the edges may arrive late.
DROP INDEX application_errors_application_id_idx;
CREATE INDEX application_errors_application_id_idx ON application_errors (application_id, occurred_at, id);
