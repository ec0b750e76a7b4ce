import type { OpenGatewayOptions } from '../src/open-gateway.ts';

type Lanes = Pick<OpenGatewayOptions, 'joinLanes'>;

let lanes: Lanes = {};

/** From now on every test gateway of this test file sends all requests through the lane for streams, as it can. */
export function useStreamLaneOnly(): void {
	const joinLanes: Lanes['joinLanes'] = ({ replay, stream }) => ({
		forward: stream.forward,
		close: () => {
			replay.close();
			stream.close();
		},
	});
	lanes = { joinLanes };
}

/** How test gateways put their lanes together: as the real one does unless told otherwise. */
export function lanesUnderTest(): Lanes {
	return lanes;
}
