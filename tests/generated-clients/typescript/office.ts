import { AuthenticationApi, Configuration, FailureFromJSON, HorsesApi, ResponseError } from './client/index.js';

/** The client of openapi-generator's `typescript-fetch`, used as an office does. */
const { BASE_URL: basePath = '', EMAIL: email = '', PASSWORD: password = '', MICROCHIP: microchip = '' } = process.env;

function check(isTrue: boolean, text: string): void {
	if (!isTrue) throw new Error(`typescript-fetch: ${text}`);
}

const signIn = await new AuthenticationApi(new Configuration({ basePath })).login({ login: { email, password } });
const horses = new HorsesApi(new Configuration({ basePath, accessToken: signIn.data.accessToken }));

const { data: page } = await horses.listHorses({ size: 200, sort: new Set(['-name']) });
check(page.items.length > 0 && page.items.length === page.pagination.totalElements, 'not all horses were listed');
for (const horse of page.items) {
	check((horse.owners?.length ?? 0) > 0, `${horse.name} has no owners`);
	check((horse.ueln ?? horse.microchip ?? horse.passportNumber) !== null, `${horse.name} has no number`);
}

const shares = [33.33, 33.33, 33.34];
const owners = shares.map((sharePercent, index) => ({
	externalParty: { name: `Stall ${index}`, countryCode: 'AT' },
	sharePercent,
}));
const horseRegistration = { name: 'TypeScript', sex: 'MARE', birthYear: 2018, microchip, owners } as const;
const { data: horse } = await horses.registerHorse({ horseRegistration: { ...horseRegistration, owners } });
check(horse.version === 1, 'a new horse has another version');
check(String(horse.owners.map((owner) => owner.sharePercent)) === String(shares), 'other shares were stored');

const { raw } = await horses.getHorseRaw({ id: horse.id });
const ifMatch = raw.headers.get('ETag') ?? '';
const change = { id: horse.id, ifMatch, horsePatch: { colour: 'Rappe' } };
const { data: changed } = await horses.replaceHorse(change);
check(changed.version === 2 && changed.colour === 'Rappe', 'the change was not stored');
check(changed.dateOfBirth === null, 'a date of birth appeared');

const refusal: unknown = await horses.replaceHorse(change).catch((error: unknown) => error);
if (!(refusal instanceof ResponseError)) throw new Error('typescript-fetch: a stale ETag was accepted');
const failure = FailureFromJSON(await refusal.response.json());
check(refusal.response.status === 412 && failure.data.code === 'PRECONDITION_FAILED', 'another failure');

process.stdout.write(`typescript-fetch: ${page.items.length} horses with owners and numbers; registered, changed, 412\n`);
