-- A receiver that answers quickly gets up to fifty calls at once (src/modules/webhooks/rules.ts). A node of the version before keeps what it
-- finds, and grants no more than ten of its own.
alter table webhook_lanes
  drop constraint webhook_lanes_concurrency_check,
  add constraint webhook_lanes_concurrency_check check (concurrency between 1 and 50);
