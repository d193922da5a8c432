-- Which transaction wrote a row of the logs that the stream tells. With a snapshot of an earlier reading this says exactly
-- what that reading could not see, however late and out of order rows commit. The system column xmin would not do: it has
-- 32 bits, and inside a savepoint it names a subtransaction, which snapshots do not know.
-- Without a rewrite of the tables: rows written before have none, and are never news.
alter table request_log add column written_in xid8;
alter table request_log alter column written_in set default pg_current_xact_id();
alter table events add column written_in xid8;
alter table events alter column written_in set default pg_current_xact_id();
