-- How leads are found: by their contacts, and by words of their text.
--
-- These functions belong to the engine role because under row-level security PostgreSQL does not use an index through operators
-- that might leak (lower, ilike, %>).

-- Loads the library: only then may a function below set its threshold.
do $$ begin perform show_limit(); end $$;

-- Leads of the transaction's tenant with this e-mail or this phone, up to ten of each; not those in the trash.
create function find_leads_by_contact(lead_email text, lead_phone text) returns setof leads
language sql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
  with here as materialized (select current_setting('app.tenant_id')::bigint as tenant_id)
  (select l.*
   from here h
   join leads l on hashtextextended(lower(l.email), l.tenant_id) = hashtextextended(lower(lead_email), h.tenant_id)
   where l.tenant_id + 0 = h.tenant_id and lower(l.email) = lower(lead_email)
     and coalesce(l.deleted_at, 'infinity') = 'infinity'
   limit 10)
  union
  (select l.*
   from here h
   join leads l on hashtextextended(l.phone, l.tenant_id) = hashtextextended(lead_phone, h.tenant_id)
   where l.tenant_id + 0 = h.tenant_id and l.phone = lead_phone
     and coalesce(l.deleted_at, 'infinity') = 'infinity'
   limit 10)
$$;

-- Leads of the transaction's tenant, deleted ones too, whose text holds every one of `words` (the longest first; one that begins
-- with a blank, where a word begins); or, with two `digits`, one of these or the first of the words; and something like every word
-- of `roughly`.
create function search_leads(plain_words text[], digits text[], plain_rough text[]) returns setof leads
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off
set pg_trgm.word_similarity_threshold = 0.5 as $$
declare
  here bigint := current_setting('app.tenant_id');
  words text[] := array(select search_pattern(w.word) from unnest(plain_words) with ordinality as w (word, n) order by w.n);
  roughly text[] := array(select fold_search(w.word) from unnest(plain_rough) with ordinality as w (word, n) order by w.n);
begin
  if cardinality(roughly) > 1 then
    return query select l.* from leads l
      where l.tenant_id = here
        and l.search_text %> roughly[1]
        and l.search_text %> roughly[2]
        and l.search_text %> all (roughly[3:])
        and l.search_text ilike all (words);
  elsif cardinality(roughly) = 1 then
    return query select l.* from leads l
      where l.tenant_id = here
        and l.search_text %> roughly[1]
        and l.search_text ilike all (words);
  elsif cardinality(digits) > 0 then
    -- Not one query with "or": in a young table the planner would rather read all leads of the tenant.
    return query
      select l.* from leads l
      where l.tenant_id = here and l.search_text like digits[1]
      union
      select l.* from leads l
      where l.tenant_id = here and l.search_text like digits[2]
      union
      select l.* from leads l
      where l.tenant_id = here and l.search_text ilike words[1];
  elsif cardinality(words) > 1 then
    return query select l.* from leads l
      where l.tenant_id = here
        and l.search_text ilike words[1]
        and l.search_text ilike words[2]
        and l.search_text ilike all (words[3:]);
  else
    return query select l.* from leads l
      where l.tenant_id = here and l.search_text ilike words[1];
  end if;
end $$;

select give_to_engine('find_leads_by_contact', 'search_leads');
