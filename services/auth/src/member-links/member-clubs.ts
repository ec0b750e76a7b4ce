import { randomUUID } from 'node:crypto';
import { ApiError, type Page } from '@paddock/contract';
import type { CallingRequest } from '@paddock/peers';
import { continueTrace, type Logger, traceparentOf } from '@paddock/telemetry';
import { sql } from 'kysely';
import type { AuthQueryable, MemberLinkRow } from '../database-schema.ts';
import type { AuthDeps } from '../deps.ts';
import type { LinkedMember } from '../peers/members.ts';
import type { LinkRequest, LinkRequestQuery } from './schemas.ts';
import { listRequests } from './store.ts';
import { requestOf } from './view.ts';

type Members = ReadonlyMap<string, LinkedMember>;

/** How often a page is read again because members on it have changed the club; rows that are outdated even then are left out. */
const readsMax = 3;

/**
 * Links to present members of these clubs, or all with those that match no member. Stored clubs can be outdated: those of a page are
 * compared with the members context, and corrected, before any of it is shown.
 * @throws ApiError as `memberDirectory`
 */
export async function listDecidable(
	call: CallingRequest & { readonly query: LinkRequestQuery; readonly now: Date },
	clubs: 'all' | readonly string[],
	{ db, memberDirectory }: AuthDeps,
): Promise<Page<LinkRequest>> {
	const { query, now } = call;
	const isWanted = (clubId: string | null) =>
		[clubs, query.clubId ?? 'all'].every(
			(each) => each === 'all' || (clubId !== null && each.includes(clubId)),
		);
	for (let reads = 1; ; reads += 1) {
		const { items, ...page } = await listRequests(db, clubs, query, now);
		const ids = items.flatMap(({ memberId }) => memberId ?? []);
		const members = await memberDirectory.members(ids, call);
		const outdated = items.filter((link) => link.memberClubId !== presentClub(link, members));
		await keepMemberClubs(
			db,
			outdated.flatMap(({ memberId }) => memberId ?? []),
			members,
		);
		const shown = items.filter((link) => isWanted(presentClub(link, members)));
		if (shown.length < items.length && reads < readsMax) continue;
		return { ...page, items: shown.map((row) => requestOf(row, members.get(row.memberId ?? ''), now)) };
	}
}

/** Null without one, as of a link that matches no member. */
export function presentClub({ memberId }: Pick<MemberLinkRow, 'memberId'>, members: Members): string | null {
	return members.get(memberId ?? '')?.homeClubId ?? null;
}

/**
 * Stores the present clubs of those members that are known with their links, in no new version: the links have not changed. Rows that
 * another process is changing are left as they are.
 */
export async function keepMemberClubs(
	db: AuthQueryable,
	memberIds: readonly string[],
	members: Members,
): Promise<void> {
	const ids = [...new Set(memberIds)].filter((id) => members.has(id));
	if (ids.length === 0) return;
	const clubIds = ids.map((memberId) => presentClub({ memberId }, members));
	await sql`
		with present (member_id, club_id) as (
			select * from unnest(${ids}::uuid[], ${clubIds}::uuid[])
		), outdated as (
			select member_links.id, present.club_id from member_links join present using (member_id)
			where member_club_id is distinct from present.club_id
			order by member_links.id for no key update of member_links skip locked
		)
		update member_links set member_club_id = outdated.club_id from outdated where member_links.id = outdated.id`.execute(
		db,
	);
}

interface RefreshDeps extends Pick<AuthDeps, 'db' | 'memberDirectory'> {
	readonly logger: Logger;
}

const lookedUpAtOnce = 50;
const lookedUpMax = 2_000;
const lookUpMs = 5_000;
/** After which a run ends: a stop of the service waits for it. */
const runMs = 5_000;

/**
 * A task that looks up members with links, some in each run, and keeps their clubs, so that the officials of a new club list the links
 * of a member that has moved. It begins at a random member: a process that is restarted often still reaches all.
 */
export function createClubRefresh({ db, memberDirectory, logger }: RefreshDeps): () => Promise<void> {
	let after = randomUUID() as string;
	let areFilled = false;
	return async () => {
		const endsAt = performance.now() + runMs;
		while (!areFilled && performance.now() < endsAt) areFilled = (await fillClubs(db)) < filledAtOnce;
		for (let count = 0; count < lookedUpMax && performance.now() < endsAt; count += lookedUpAtOnce) {
			const ids = await listLinkedMembers(db, after);
			const context = {
				requestId: randomUUID(),
				traceparent: traceparentOf(continueTrace(undefined)),
				signal: AbortSignal.timeout(lookUpMs),
			};
			try {
				const members = await memberDirectory.members(ids, context);
				await keepMemberClubs(db, ids, members);
			} catch (error) {
				if (!(error instanceof ApiError)) throw error;
				logger.info('clubs of linked members not refreshed; the next run continues', { cause: error });
				return;
			}
			after = ids.length < lookedUpAtOnce ? firstId : (ids.at(-1) ?? firstId);
			if (after === firstId) return;
		}
	};
}

const filledAtOnce = 500;

/** Of links of the previous version; returns how many. */
async function fillClubs(db: AuthQueryable): Promise<number> {
	const { numAffectedRows = 0n } = await sql`
		update member_links set member_club_id = club_id where id = any (array(
			select id from member_links where club_id is not null and member_club_id is null
			limit ${filledAtOnce} for no key update skip locked
		))`.execute(db);
	return Number(numAffectedRows);
}

const firstId = '00000000-0000-0000-0000-000000000000';

async function listLinkedMembers(db: AuthQueryable, after: string): Promise<readonly string[]> {
	const rows = await db
		.selectFrom('memberLinks')
		.select('memberId')
		.distinct()
		.where('memberId', '>', after)
		.orderBy('memberId')
		.limit(lookedUpAtOnce)
		.execute();
	return rows.flatMap(({ memberId }) => memberId ?? []);
}
