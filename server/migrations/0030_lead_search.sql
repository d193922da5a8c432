-- Leads are found without regard to accents and normal forms, and by single letters of scripts that write no blanks.
create extension if not exists unaccent;

-- Text as a search compares it, where it is not ASCII alone: composed, without accents, and with a blank in front of each letter of
-- scripts that write words without blanks between them, so that each begins a word. Immutable as long as nobody edits the rules file.
create function fold_wide(text) returns text
language sql immutable strict parallel safe
return regexp_replace(public.unaccent('public.unaccent'::regdictionary, normalize($1, NFKC)),
  '([\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003fffd])', ' \1', 'g');

-- With the other usual spelling of a German name beside it: Mueller for Müller.
create function german_spelling(text) returns text
language sql immutable strict parallel safe
return case when normalize($1, NFC) ~ '[äöüÄÖÜ]' then ' ' || replace(replace(replace(replace(replace(replace(
  normalize($1, NFC), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'Ä', 'Ae'), 'Ö', 'Oe'), 'Ü', 'Ue') else '' end;

-- What a search looks through. ASCII, which most of it is, costs no call.
create function lead_search_text(name text, email text, phone text, company text) returns text
language sql immutable parallel safe
return case
  when octet_length(name) = length(name) and octet_length(coalesce(email, '')) = length(coalesce(email, ''))
    and octet_length(coalesce(company, '')) = length(coalesce(company, ''))
    then ' ' || name || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(company, '')
  else fold_wide(' ' || name || german_spelling(name) || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' '
    || coalesce(company, '') || german_spelling(coalesce(company, ''))) end;

drop index leads_text;
create index leads_text on leads using gin (tenant_id, lead_search_text(name, email, phone, company) gin_trgm_ops);

-- What is looked for, as lead_search_text writes what it is looked for in.
create function fold_search(text) returns text
language sql immutable strict parallel safe
return case when octet_length($1) = length($1) then $1 else fold_wide($1) end;

create function search_pattern(text) returns text
language sql immutable strict parallel safe
return '%' || replace(replace(replace(fold_search($1), '\', '\\'), '%', '\%'), '_', '\_') || '%';

drop function search_leads;
grant create on schema public to tandem_engine;

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
        and lead_search_text(l.name, l.email, l.phone, l.company) %> roughly[1]
        and lead_search_text(l.name, l.email, l.phone, l.company) %> roughly[2]
        and lead_search_text(l.name, l.email, l.phone, l.company) %> all (roughly[3:])
        and lead_search_text(l.name, l.email, l.phone, l.company) ilike all (words);
  elsif cardinality(roughly) = 1 then
    return query select l.* from leads l
      where l.tenant_id = here
        and lead_search_text(l.name, l.email, l.phone, l.company) %> roughly[1]
        and lead_search_text(l.name, l.email, l.phone, l.company) ilike all (words);
  elsif cardinality(digits) > 0 then
    -- Not one query with "or": in a young table the planner would rather read all leads of the tenant.
    return query
      select l.* from leads l
      where l.tenant_id = here and lead_search_text(l.name, l.email, l.phone, l.company) like digits[1]
      union
      select l.* from leads l
      where l.tenant_id = here and lead_search_text(l.name, l.email, l.phone, l.company) like digits[2]
      union
      select l.* from leads l
      where l.tenant_id = here and lead_search_text(l.name, l.email, l.phone, l.company) ilike words[1];
  elsif cardinality(words) > 1 then
    return query select l.* from leads l
      where l.tenant_id = here
        and lead_search_text(l.name, l.email, l.phone, l.company) ilike words[1]
        and lead_search_text(l.name, l.email, l.phone, l.company) ilike words[2]
        and lead_search_text(l.name, l.email, l.phone, l.company) ilike all (words[3:]);
  else
    return query select l.* from leads l
      where l.tenant_id = here and lead_search_text(l.name, l.email, l.phone, l.company) ilike words[1];
  end if;
end $$;

drop function lead_text;
alter function search_leads(text[], text[], text[]) owner to tandem_engine;
revoke all on function search_leads(text[], text[], text[]) from public;
grant execute on function search_leads(text[], text[], text[]) to tandem_app;
revoke create on schema public from tandem_engine;
