-- Published pictures are looked at again and again: those that no webhook and no message names any more are removed.
ALTER TABLE pictures
  -- How often it was published: what was found out about it before the last time is not true any more.
  ADD COLUMN publications integer NOT NULL DEFAULT 0,
  -- When it is asked about next.
  ADD COLUMN check_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Since when nothing names it.
  ADD COLUMN unnamed_since timestamptz(3);
CREATE INDEX pictures_check_at_idx ON pictures (check_at) WHERE published;
