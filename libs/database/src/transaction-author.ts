import { type ChangeAuthor, changeAuthor } from '@paddock/contract';
import { escapeLiteral } from 'pg';

/** The author of what a service does by itself; changes without any author were made past the services. */
export const systemAuthor: ChangeAuthor = { service: 'system' };

/** The author of the current request. */
export const currentAuthor = (): ChangeAuthor => changeAuthor.getStore() ?? systemAuthor;

/** Begins a transaction and names its author to the trigger of the change history, in one round trip. */
export function withAuthor(begin: string): string {
	return `${begin}; select set_config('paddock.author', ${escapeLiteral(JSON.stringify(currentAuthor()))}, true)`;
}
