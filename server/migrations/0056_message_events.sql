-- Events of messages that are sent cost a share of a row, and so do their parts.
--
-- A message keeps its moves in its own row, one short entry each; which messages moved in one statement is one row of
-- message_event_batches: that is the log. What an event says is read out of both when somebody asks. Messages that come in, and those of
-- before, have their events in the table `events` as all other records do; event_log shows all.
--
-- A message of one part, as nearly all are, keeps that part in its own row as well: what the carrier answers and reports is written with the
-- move that it makes. Parts of longer messages, and of messages that were begun before this migration, have rows of their own.

-- The moves of a message, oldest first, with ';' between them. An entry is a letter for the status, the milliseconds since the message was
-- accepted, and after commas, where there is one, the code and the number of segments that were delivered by then. `~carrier,price,currency`
-- says what these were until then, and `,sender` behind it who the sender was. The last entry is that of `sequence`; null for messages that never moved since this migration.
alter table messages add column moves text collate "C";

alter table messages
  -- State of the only part, as message_segments has it, once it was begun; null where parts have rows of their own.
  add column part_state text collate "C",
  -- Which carrier has it, where the message was given to another one since.
  add column part_carrier text collate "C",
  add column carrier_message_id text collate "C",
  add column part_code text collate "C",
  add column carrier_code text collate "C",
  -- Null of an answer with the carrier's id that made the message sent: it came then.
  add column answered_at timestamptz(3),
  add column receipt_at timestamptz(3);

-- Moves that were written together: `id` is that of the first of their events. Entries stand with a blank between them; each holds the 26
-- digits of a message's id, three digits of the event's sequence, and the letter of the status. The id of the event is made of these: the
-- time digits of `id`, the last 13 digits of the message's id, the digits of the sequence.
create table message_event_batches (
  tenant_id  bigint not null,
  written_in xid8 not null default pg_current_xact_id(),
  id         text collate "C" not null,
  entries    text collate "C" not null,
  primary key (tenant_id, id)
) with (toast_tuple_target = 8160);
alter table message_event_batches alter column entries set storage external;
select protect_tenant_table('message_event_batches');
select open_to_engine('message_event_batches', 'select, insert, delete');
grant select on message_event_batches to tandem_app;

-- The messages whose moves the events of a job are, where these are read out of messages: each is found without a look into the log.
alter table webhook_jobs add column message_ids text[];
alter table webhook_jobs alter column message_ids set storage external;

create function letter_of_status(status text) returns text language sql immutable parallel safe as $$
  select case status when 'queued' then 'q' when 'sending' then 'g' when 'sent' then 's' when 'delivered' then 'd' when 'undelivered' then 'u'
    when 'expired' then 'x' when 'failed' then 'f' when 'canceled' then 'c' when 'unconfirmed' then 'n' when 'scheduled' then 'h'
    when 'received' then 'r' end
$$;

create function status_of_letter(letter text) returns text language sql immutable parallel safe as $$
  select (array['scheduled', 'queued', 'sending', 'sent', 'delivered', 'undelivered', 'expired', 'failed', 'canceled', 'unconfirmed',
    'received'])[strpos('hqgsduxfcnr', letter)]
$$;

-- The parts of a message, by their newest attempts.
create function parts_of(m messages)
returns table (part smallint, attempt smallint, state text, carrier text, carrier_message_id text, code text, carrier_code text,
  answered_at timestamptz, receipt_at timestamptz)
language sql stable as $$
  select 1::smallint, m.attempts, m.part_state, coalesce(m.part_carrier, m.carrier), m.carrier_message_id, m.part_code, m.carrier_code,
    coalesce(m.answered_at, case when m.carrier_message_id is not null then m.sent_at end), m.receipt_at
  where m.part_state is not null
  union all
  select s.part, s.attempt, s.state, s.carrier, s.carrier_message_id, s.code, s.carrier_code, s.answered_at, s.receipt_at
  from message_segments s where m.part_state is null and s.tenant_id = m.tenant_id and s.message_id = m.id
$$;

-- Which states of a part an answer or a receipt leads out of: an answer that comes late counts where it says that the part was taken.
create function states_before(part_state text, of_receipts boolean) returns text[] language sql immutable parallel safe as $$
  select case when part_state is null then null when of_receipts then array['accepted', 'submitting', 'unknown']
    when part_state = 'accepted' then array['submitting', 'unknown', 'refused', 'throttled'] else array['submitting', 'unknown'] end
$$;

-- Three digits of base 32, as ids have them; a message does not move 32,768 times.
create function sequence_digits(sequence integer) returns text language sql immutable parallel safe as $$
  select substr('0123456789abcdefghjkmnpqrstvwxyz', (sequence >> 10 & 31) + 1, 1)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', (sequence >> 5 & 31) + 1, 1)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', (sequence & 31) + 1, 1)
$$;

create function digits_sequence(digits text) returns integer language sql immutable parallel safe as $$
  select (strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(digits, 1, 1)) - 1 << 10)
    + (strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(digits, 2, 1)) - 1 << 5)
    + strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(digits, 3, 1)) - 1
$$;

-- What an entry of a batch says: the id of the event, of the message, the event's place among those of the message, and its type.
create function entry_event_id(batch_id text, entry text) returns text language sql immutable parallel safe as $$
  select left(batch_id, 14) || substr(entry, 14, 16)
$$;

create function entry_message_id(entry text) returns text language sql immutable parallel safe as $$
  select 'msg_' || left(entry, 26)
$$;

create function entry_sequence(entry text) returns integer language sql immutable parallel safe as $$
  select digits_sequence(substr(entry, 27, 3))
$$;

create function entry_type(entry text) returns text language sql immutable parallel safe as $$
  select 'message.' || status_of_letter(right(entry, 1))
$$;

-- A moment as the API writes it.
create function iso_ms(at timestamptz) returns text language sql stable parallel safe as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- The first ten digits of an id made at a moment: milliseconds since 1970, as kernel/values/ids.ts writes them.
create function time_digits(ms bigint) returns text language sql immutable parallel safe as $$
  select substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> 45 & 31)::integer + 1, 1) || substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> 40 & 31)::integer + 1, 1)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> 35 & 31)::integer + 1, 1) || substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> 30 & 31)::integer + 1, 1)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> 25 & 31)::integer + 1, 1) || substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> 20 & 31)::integer + 1, 1)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> 15 & 31)::integer + 1, 1) || substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> 10 & 31)::integer + 1, 1)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> 5 & 31)::integer + 1, 1) || substr('0123456789abcdefghjkmnpqrstvwxyz', (ms & 31)::integer + 1, 1)
$$;

-- The smallest id an instant can have, as kernel/values/ids.ts makes them.
create or replace function first_id_at(prefix text, at timestamptz) returns text language sql immutable parallel safe as $$
  select prefix || '_' || time_digits(greatest(0, floor(extract(epoch from at) * 1000))::bigint) || repeat('0', 16)
$$;

-- The first 14 characters of the ids of what moved at a moment, by the milliseconds that ms_between counts.
create function event_digits(at timestamptz) returns text language sql immutable parallel safe as $$
  select 'evt_' || time_digits(floor(date_part('epoch', at) * 1000 + 0.01)::bigint)
$$;

-- The id of the event of a message's move.
create function message_event_id(digits text, message_id text, sequence integer) returns text language sql immutable parallel safe as $$
  select digits || right(message_id, 13) || sequence_digits(sequence)
$$;

-- A move of a message as a batch holds it, by the letter of the status that it led to.
create function batch_entry(message_id text, sequence integer, letter text) returns text language sql immutable parallel safe as $$
  select substr(message_id, 5) || sequence_digits(sequence) || letter
$$;

-- Which batch the move at a place, from 1, goes into.
create function batch_of(place bigint) returns bigint language sql immutable parallel safe return (place - 1) / 200;

-- Whole milliseconds from one moment to another.
create function ms_between(since timestamptz, until timestamptz) returns bigint language sql immutable parallel safe as $$
  select floor(date_part('epoch', until - since) * 1000 + 0.01)::bigint
$$;

-- The instant that an id holds, as first_id_at puts it in.
create function time_of_id(id text) returns timestamptz language sql immutable parallel safe as $$
  select to_timestamp(sum((strpos('0123456789abcdefghjkmnpqrstvwxyz', d.digit) - 1)::bigint << (5 * (10 - d.n)::integer)) / 1000)
  from unnest(string_to_array(substr(split_part(id, '_', 2), 1, 10), null)) with ordinality as d (digit, n)
$$;

-- The moves of a message with the ids of their events, first to last.
create function moves_of(m messages)
returns table (event_id text, sequence integer, status text, at timestamptz, code text)
language sql stable as $$
  select message_event_id(left(first_id_at('evt', b.moved_at), 14), m.id, b.sequence), b.sequence,
    status_of_letter(left(b.entry, 1)), case b.sequence when 1 then m.created_at else greatest(b.moved_at, m.created_at) end,
    nullif(split_part(b.entry, ',', 2), '')
  from (
    select e.entry, m.sequence - (count(*) over () - row_number() over (order by e.n))::integer as sequence,
      m.created_at + split_part(substr(e.entry, 2), ',', 1)::bigint * interval '1 millisecond' as moved_at
    from unnest(string_to_array(m.moves, ';')) with ordinality as e (entry, n) where left(e.entry, 1) <> '~'
  ) b
$$;

-- A text in JSON, and null as JSON has it.
create function json_text(value text) returns text language sql stable parallel safe as $$
  select coalesce(to_json(value)::text, 'null')
$$;

-- The same of what holds nothing to escape: ids, names of our own, moments.
create function json_word(value text) returns text language sql immutable parallel safe as $$
  select coalesce('"' || value || '"', 'null')
$$;

-- A message as it was after a move to the status of `letter`: the data of its event, as presentMessage of sms/rules.ts has it, and
-- `previousStatus`. One expression, which the planner puts in place of the call, and texts put together: row_to_json looks up how to write
-- each column again for each row.
create function message_data(m messages, letter text, code text, segments_delivered smallint, attempts integer, was_sent boolean,
  moved_at timestamptz, previous text)
returns text language sql stable parallel safe as $$
  select concat('{"messageId":"', m.id, '","direction":"', m.direction, '","from":', json_text(m.from_address), ',"to":', json_text(m.to_address),
    ',"body":', json_text(m.body), ',"status":"', status_of_letter(letter), '","code":', json_word(code), ',"encoding":"', m.encoding,
    '","segments":', m.segments, ',"segmentsDelivered":', segments_delivered, ',"attempts":', attempts, ',"carrier":"', m.carrier,
    '","serviceId":', json_word(m.service_id),
    ',"price":', json_word(case when was_sent then trim_scale(m.price_micros / 1000000.0)::text end),
    ',"currency":', json_word(case when was_sent and m.price_micros is not null then m.currency end),
    ',"callbackUrl":', json_text(m.callback_url), ',"tags":', coalesce(m.tags::text, '[]'), ',"metadata":', coalesce(m.metadata::text, '{}'),
    ',"validityPeriod":', coalesce(m.validity_seconds::text, 'null'), ',"partial":', case when m.partial then 'true' else 'false' end,
    ',"createdAt":"', iso_ms(m.created_at), '","sendAt":', json_word(iso_ms(m.send_at)),
    ',"sentAt":', json_word(case when was_sent then iso_ms(m.sent_at) end),
    ',"deliveredAt":', json_word(case when letter = 'd' then iso_ms(m.delivered_at) end),
    ',"finalAt":', json_word(case when letter in ('d', 'u', 'x', 'f', 'c', 'n') then iso_ms(moved_at) end),
    ',"redactedAt":', json_word(case when m.redacted_at < moved_at then iso_ms(m.redacted_at) end),
    ',"previousStatus":', json_word(previous), '}')
$$;

-- The status of a move (its letter), when it was, and the message as it was then: the data of its event, as presentMessage of sms/rules.ts has
-- it, and `previousStatus`.
create function message_event(m messages, of_sequence integer, out letter text, out at timestamptz, out data json)
language plpgsql stable as $$
#variable_conflict use_column
declare
  entries text[] := string_to_array(m.moves, ';');
  entry text;
  place integer := m.sequence;
  shown text := '';
  previous text;
  moved_at timestamptz;
  attempts integer := m.attempts;
  was_sent boolean := m.sent_at is not null;
  is_behind boolean := false;
  is_from_before boolean := false;
begin
  if entries is null then return; end if;
  if of_sequence = m.sequence and cardinality(entries) > 1 and left(entries[cardinality(entries)], 1) <> '~'
    and left(entries[cardinality(entries) - 1], 1) <> '~' then
    -- The last one, as nearly always: it is the message as it stands.
    shown := entries[cardinality(entries)];
    previous := status_of_letter(left(entries[cardinality(entries) - 1], 1));
    entries := '{}';
  end if;
  -- How far the log reaches back, and whether it knows when the message was sent.
  foreach entry in array entries loop
    letter := left(entry, 1);
    if letter <> '~' then place := place - 1; end if;
    if letter = 's' then was_sent := false; end if;
  end loop;
  foreach entry in array entries loop
    letter := left(entry, 1);
    if letter = '~' then
      -- What it says was so until here: the first one behind the event is about it.
      if place >= of_sequence and not is_behind then
        m.carrier := substr(split_part(entry, ',', 1), 2);
        m.price_micros := nullif(split_part(entry, ',', 2), '')::bigint;
        m.currency := nullif(split_part(entry, ',', 3), '');
        is_behind := true;
      end if;
      if place >= of_sequence and not is_from_before and split_part(entry, ',', 4) <> '' then
        m.from_address := split_part(entry, ',', 4);
        is_from_before := true;
      end if;
      continue;
    end if;
    place := place + 1;
    if place > of_sequence then
      if letter = 'g' then attempts := attempts - 1; end if;
      continue;
    end if;
    previous := status_of_letter(nullif(left(shown, 1), ''));
    shown := entry;
    if letter = 's' then was_sent := true; end if;
  end loop;
  if shown = '' then return; end if;
  letter := left(shown, 1);
  if previous is null and of_sequence > 1 then
    select substr(e.type, length('message.') + 1) into previous from events e
    where e.tenant_id = m.tenant_id and e.resource_id = m.id and e.sequence = of_sequence - 1;
  end if;
  moved_at := m.created_at + split_part(substr(shown, 2), ',', 1)::bigint * interval '1 millisecond';
  at := case of_sequence when 1 then m.created_at else greatest(moved_at, m.created_at) end;
  data := message_data(m, letter, nullif(split_part(shown, ',', 2), ''),
    case when letter = 'd' then m.segments else coalesce(nullif(split_part(shown, ',', 3), '')::smallint, 0::smallint) end,
    attempts, was_sent, moved_at, previous);
end $$;
