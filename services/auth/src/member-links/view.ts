import { withInstants } from '@paddock/service';
import { fullName } from '@paddock/text';
import type { MemberLinkRow } from '../database-schema.ts';
import type { LinkedMember } from '../peers/members.ts';
import { currentLink } from './rules.ts';
import type { LinkRequest, MemberLink } from './schemas.ts';
import type { LinkWithAccount } from './store.ts';

/**
 * The link as the owner of the account reads it. It must not disclose whether a request matches a member before that is
 * confirmed.
 */
export function linkOf(row: MemberLinkRow, now: Date): MemberLink {
	const { status, endedAt } = currentLink(row, now);
	const wasConfirmed = row.decidedAt !== null && status !== 'DECLINED';
	const { decidedAt, holdsUntil, createdAt, updatedAt } = row;
	return {
		id: row.id,
		relationship: row.relationship,
		membershipNumber: row.membershipNumber,
		dateOfBirth: row.dateOfBirth,
		reason: row.reason,
		version: row.version,
		status,
		memberId: wasConfirmed ? row.memberId : null,
		...withInstants({ decidedAt, endedAt, holdsUntil, createdAt, updatedAt }),
	};
}

/** `member` is the present record; undefined if the request matches none, or it was deleted. */
export function requestOf(row: LinkWithAccount, member: LinkedMember | undefined, now: Date): LinkRequest {
	return {
		...linkOf(row, now),
		account: { userId: row.userId, name: fullName(row), email: row.email },
		member:
			member === undefined || member.status === 'INACTIVE'
				? null
				: {
						id: member.id,
						membershipNumber: member.membershipNumber,
						name: fullName(member),
						dateOfBirth: member.dateOfBirth,
						homeClubId: member.homeClubId,
					},
		decidedBy: row.decidedBy,
		endedBy: row.endedBy,
	};
}
