import { concurrentIndexes } from '@paddock/database';

/** Each mail to a member asks for the guardians. */
export const guardianIndex = concurrentIndexes({
	member_links_guardians: "member_links (member_id) where relationship = 'GUARDIAN' and status = 'CONFIRMED'",
});
