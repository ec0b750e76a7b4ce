import { expect, test } from '@jest/globals';
import { type EndpointSlice, podsOf } from './kubernetes-api.ts';

const ready = { ready: true, serving: true, terminating: false };
const starting = { ready: false, serving: false, terminating: false };
const draining = { ready: false, serving: true, terminating: true };
const stopped = { ready: false, serving: false, terminating: true };

function slice(
	addresses: Record<string, object | undefined>,
	more: Partial<EndpointSlice> = {},
): EndpointSlice {
	const endpoints = Object.entries(addresses).map(([address, conditions]) => ({
		addresses: [address],
		...(conditions && { conditions }),
		targetRef: { name: `pod-${address}` },
	}));
	return {
		metadata: { name: 'horses-service-abc', resourceVersion: '1' },
		addressType: 'IPv4',
		endpoints,
		ports: [{ name: 'http', port: 8084 }],
		...more,
	};
}
const addresses = (...slices: EndpointSlice[]) => podsOf(slices).map(({ address }) => address);

test('a ready pod is an instance, named like the pod', () => {
	expect(podsOf([slice({ '10.0.0.1': ready })])).toEqual([
		{ id: 'pod-10.0.0.1', address: '10.0.0.1', port: 8084 },
	]);
});

test('absent conditions count as ready', () => {
	expect(addresses(slice({ '10.0.0.1': undefined, '10.0.0.2': {} }))).toEqual(['10.0.0.1', '10.0.0.2']);
});

test('a pod that starts, drains or has stopped gets no requests', () => {
	const all = { '10.0.0.1': ready, '10.0.0.2': starting, '10.0.0.3': draining, '10.0.0.4': stopped };
	expect(addresses(slice(all))).toEqual(['10.0.0.1']);
	// Of a Service with publishNotReadyAddresses all pods are ready.
	expect(addresses(slice({ '10.0.0.1': ready, '10.0.0.2': { ready: true, terminating: true } }))).toEqual([
		'10.0.0.1',
	]);
});

test('without a ready pod those that still serve get the requests', () => {
	expect(addresses(slice({ '10.0.0.2': starting, '10.0.0.3': draining, '10.0.0.4': stopped }))).toEqual([
		'10.0.0.3',
	]);
});

test('pods of several slices are used, each with the port of its slice', () => {
	const other = slice(
		{ '10.0.0.2': ready },
		{
			ports: [
				{ name: 'metrics', port: 1 },
				{ name: 'http', port: 2 },
			],
		},
	);
	expect(podsOf([slice({ '10.0.0.1': ready }), other]).map(({ port }) => port)).toEqual([8084, 2]);
});

test('pods with both families are one instance each, at IPv4', () => {
	const six = slice({ 'fd00::1': ready }, { addressType: 'IPv6' });
	expect(addresses(six, slice({ '10.0.0.1': ready }))).toEqual(['10.0.0.1']);
	expect(addresses(six)).toEqual(['fd00::1']);
});

test('a slice without endpoints or ports has no usable pod', () => {
	expect(podsOf([slice({}, { endpoints: null, ports: null })])).toEqual([]);
	expect(podsOf([slice({ '10.0.0.1': ready }, { ports: null })])).toMatchObject([{ port: undefined }]);
});
