import { type Instance, instanceAt, type MutualTls, type Registry } from '@paddock/discovery';
import { isAxiosError } from 'axios';
import { z } from 'zod';
import { openInternalClient, reasonOf } from '../upstream/internal-client.ts';
import type { gatewayList } from './operations-schemas.ts';

export type OtherGateways = ReturnType<typeof openOtherGateways>;

type GatewayList = z.output<typeof gatewayList>;
type GatewayView = GatewayList['others'][number];
type GatewayAddress = Pick<GatewayView, 'id' | 'address'>;

interface OtherGatewaysDeps {
	readonly registry: Registry;
	readonly self: () => Pick<Instance, 'id' | 'address' | 'port'> | undefined;
	readonly opsPrefix: string;
	readonly timeoutMs: number;
	readonly tls: MutualTls | undefined;
}

const gatewaysMax = 16;
// Queries without a token count against the rate limit of this gateway's address at the others.
const sharedMs = 5_000;

/** The part of another gateway's list of breakers that is shown; it may run another version. */
const breakersOfOther = z.object({
	data: z.object({
		breakers: z.array(
			z.object({
				context: z.string(),
				instance: z.string(),
				state: z.enum(['CLOSED', 'OPEN', 'HALF_OPEN']),
				forced: z.unknown().optional(),
			}),
		),
	}),
});

/** The other gateways. Each is queried on request only, for its own breakers. */
export function openOtherGateways(deps: OtherGatewaysDeps) {
	const watch = deps.registry.watch('gateway');
	const client = openInternalClient({ timeoutMs: deps.timeoutMs, socketsMax: 1, tls: deps.tls });
	const self = (): GatewayAddress | undefined => {
		const own = deps.self();
		return own && addressOf(instanceAt(own.address, own.port, own.id));
	};
	const others = (): readonly Instance[] => {
		const own = self();
		// A static list has other ids.
		return watch
			.current()
			.instances.filter((each) => each.id !== own?.id && addressOf(each).address !== own?.address);
	};
	const query = async (instance: Instance, authorization: string | undefined): Promise<Queried> => {
		const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
		try {
			const url = `${instance.url}${deps.opsPrefix}/breakers`;
			const response = await client.request('gateway', { url, headers });
			const { breakers } = breakersOfOther.parse(response.data).data;
			const shown = breakers.map(({ forced, ...breaker }) => ({ ...breaker, forced: forced !== undefined }));
			return {
				view: { ...addressOf(instance), responds: true, breakers: shown },
				isRefused: false,
				by: authorization,
			};
		} catch (error) {
			const view = { ...addressOf(instance), responds: false, message: reasonOf(error), breakers: [] };
			return { view, isRefused: isRefusal(error), by: authorization };
		}
	};
	let round = openRound();
	const view = async (instance: Instance, authorization: string | undefined): Promise<GatewayView> => {
		const { shared, refused } = round;
		const { url } = instance;
		const first = shared.get(url) ?? query(instance, authorization);
		shared.set(url, first);
		const { view: found, isRefused, by } = await first;
		if (!isRefused || by === authorization) return found;
		const key = `${url} ${authorization}`;
		const own = refused.get(key) ?? query(instance, authorization);
		refused.set(key, own);
		if (!(await own).isRefused) shared.set(url, own);
		return (await own).view;
	};
	return {
		/** This gateway's entry in the registry; undefined until it listens. */
		self,
		/** Whether their operations pages require TLS. */
		secure: deps.tls !== undefined,
		list: (): readonly GatewayAddress[] => others().map(addressOf),
		/** Their views of the breakers. Callers within five seconds share one round, except those whose shared response was a refusal. */
		views: async (authorization: string | undefined): Promise<GatewayList> => {
			if (performance.now() - round.startedMs >= sharedMs) round = openRound();
			const all = others();
			const queried = all.slice(0, gatewaysMax);
			return {
				self: self(),
				others: await Promise.all(queried.map((each) => view(each, authorization))),
				omitted: all.length - queried.length,
			};
		},
		close: (): void => {
			watch.stop();
			client.close();
		},
	};
}

/** The response of another gateway to the token of one caller. */
interface Queried {
	readonly view: GatewayView;
	readonly isRefused: boolean;
	readonly by: string | undefined;
}

interface Round {
	readonly startedMs: number;
	readonly shared: Map<string, Promise<Queried>>;
	/** Queries of further callers where the first one was refused, by URL and token. */
	readonly refused: Map<string, Promise<Queried>>;
}

function openRound(): Round {
	return { startedMs: performance.now(), shared: new Map(), refused: new Map() };
}

/** Whether a gateway has responded to the caller rather than about itself. */
function isRefusal(error: unknown): boolean {
	return isAxiosError(error) && [401, 403, 429].includes(error.response?.status ?? 0);
}

function addressOf({ id, url }: Instance): GatewayAddress {
	return { id, address: url.slice('http://'.length) };
}
