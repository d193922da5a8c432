-- What a search looks through stands beside the lead: made anew for every row that the index named, with accents folded, it was half of what a
-- search cost, and its long expression the other half, each time a plan was made.
alter table leads add column search_text text generated always as (lead_search_text(name, email, phone, company)) stored;
drop index leads_text;
create index leads_text on leads using gin (tenant_id, search_text gin_trgm_ops);

-- Leads of the transaction's tenant, deleted ones too, whose text holds every one of `words` (the longest first; one that begins
-- with a blank, where a word begins); or, with two `digits`, one of these or the first of the words; and something like every word
-- of `roughly`.
create or replace function search_leads(plain_words text[], digits text[], plain_rough text[]) returns setof leads
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
