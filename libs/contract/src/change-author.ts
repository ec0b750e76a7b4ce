import { AsyncLocalStorage } from 'node:async_hooks';

/** The caller on whose request records change, as stored in the change history. */
export interface ChangeAuthor {
	/** UUID of the account; undefined for a service. */
	readonly userId?: string | undefined;
	/** UUID of the account's member. */
	readonly memberId?: string | undefined;
	readonly roles?: readonly string[];
	/** A service that acts with its own token. */
	readonly service?: string | undefined;
	readonly requestId?: string;
	readonly reason?: string | undefined;
	/** UUID of the member for whom the caller acts, if another one; set by `actingForMember`. */
	actingFor?: string;
}

/** The author of the current request; undefined in work of the service itself, such as maintenance. */
export const changeAuthor = new AsyncLocalStorage<ChangeAuthor>();

/** Notes in the change history that the caller acts for this member, e.g. as the guardian. */
export function actingForMember(memberId: string): void {
	const author = changeAuthor.getStore();
	if (author !== undefined && author.memberId !== memberId) author.actingFor = memberId;
}
