import type { Principal } from '@paddock/identity';
import type { EventsDeps } from './deps.ts';
import type { CallContext } from './directory/call-context.ts';
import { mayManage } from './event-access.ts';
import type { Event } from './schemas/event.ts';

interface ViewRequest extends CallContext {
	readonly principal: Principal | undefined;
}

/**
 * Events as the caller may see them. Those who run an event see its officials with their member ids. All others see role
 * and name, and of officials who are members only those who are there and consent to be published; an official without a
 * member id is a name that the organiser published.
 */
export async function eventViews(
	events: readonly Event[],
	request: ViewRequest,
	{ publicity }: Pick<EventsDeps, 'publicity'>,
): Promise<Event[]> {
	const isRun = ({ organiserClubId }: Event) => mayManage(request.principal, organiserClubId);
	const ids = events
		.filter((event) => !isRun(event))
		.flatMap(({ officials }) => officials.flatMap(({ memberId }) => memberId ?? []));
	const namable = ids.length === 0 ? new Set<string>() : await publicity.namable(ids, request);
	const isShown = ({ memberId }: Event['officials'][number]) =>
		memberId === null || memberId === undefined || namable.has(memberId);
	return events.map((event) =>
		isRun(event)
			? event
			: { ...event, officials: event.officials.filter(isShown).map(({ role, name }) => ({ role, name })) },
	);
}

/** One of them. */
export async function eventView(
	event: Event,
	request: ViewRequest,
	deps: Pick<EventsDeps, 'publicity'>,
): Promise<Event> {
	const [view = event] = await eventViews([event], request, deps);
	return view;
}
