import { type Migration, recordChangesOf } from '@paddock/database';

/** Changes of links to members and of requests about personal data belong to the history of the account. */
export const historyOfLinks: Migration = {
	up: (db) =>
		recordChangesOf(db, {
			member_links: {
				type: 'MEMBER_LINK',
				record: 'user_id',
				without: ['membership_number', 'date_of_birth'],
			},
			person_requests: { type: 'PERSON_REQUEST', record: 'user_id', without: ['document', 'report'] },
		}),
};
