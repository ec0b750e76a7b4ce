-- Entries by pgbench, with the statements of the service, for bloat and locks. On a copy of a filled database, as superuser:
--   psql -d COPY -f bench/registries/enter-many.sql -v prepare=1
--   pgbench COPY -n -M prepared -c 8 -j 2 -t 12500 -f bench/registries/enter-many.sql -D prepare=0
--   psql -d COPY -f bench/registries/entry-bloat.sql
\if :prepare
create extension if not exists pgstattuple;
drop table if exists enter_targets;
create table enter_targets as
select (row_number() over ())::integer as number, events.id as event_id,
	(select id from competitions where event_id = events.id limit 1) as competition_id,
	(select id from entries where event_id = events.id limit 1) as template_id
from events where exists (select from competitions where event_id = events.id)
	and exists (select from entries where event_id = events.id) limit 200;
alter table enter_targets add primary key (number);
vacuum analyze;
select pg_stat_reset();
\else
\set target random(1, 200)
select event_id, competition_id, template_id, gen_random_uuid() as entry_id, gen_random_uuid() as horse_id
from enter_targets where number = :target \gset
begin;
select set_config('paddock.author', '{"service": "bench"}', true);
insert into idempotency_keys (user_id, key, input_digest, created_at)
values (:horse_id::uuid, :entry_id::text, 'digest', now()) returning ctid as place \gset
select from events where id = :event_id::uuid for update;
with starting as (
	insert into starts (entry_id, competition_id, status, horse_id, rider_member_id, start_fee)
	values (:entry_id::uuid, :competition_id::uuid, 'ACCEPTED', :horse_id::uuid, :horse_id::uuid, 1500)
), booking as (
	insert into ledger_lines (entry_id, kind, amount, competition_id, reason, booked_by, booked_at)
	values (:entry_id::uuid, 'ENTRY', 2500, null, 'Entry fee', :horse_id::uuid, now()),
		(:entry_id::uuid, 'START', 1500, :competition_id::uuid, 'Start in no. 1', :horse_id::uuid, now())
), acting as (
	insert into entry_acts (entry_id, act, acting_as, acted_by, acted_at)
	values (:entry_id::uuid, 'ENTERED', 'RIDER', :horse_id::uuid, now())
)
insert into entries select (jsonb_populate_record(entries, jsonb_build_object(
	'id', :entry_id::uuid, 'horse_id', :horse_id::uuid, 'rider_member_id', :horse_id::uuid, 'status', 'ACCEPTED',
	'status_reason', null, 'position', null, 'amount_due', 4000, 'is_confirmed', true, 'is_horse_confirmed', true,
	'vacated_at', null, 'created_at', now(), 'updated_at', now(),
	'entry_number', (select max(entry_number) + 1 from entries where event_id = :event_id::uuid)
))).* from entries where id = :template_id::uuid;
update idempotency_keys set data = '{}' where ctid = :place::tid;
commit;
\endif
