const primes = [
	...[3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103],
	...[107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167],
];

/** For each prime the powers of 65537 modulo it. */
const powers = primes.map((prime) => {
	const found = new Set<number>();
	for (let power = 1; !found.has(power); power = (power * 65_537) % prime) found.add(power);
	return [BigInt(prime), found] as const;
});

/**
 * Whether a modulus (base64url) was made by the library of Infineon whose keys can be factored (ROCA, CVE-2017-15361): modulo
 * each small prime it is a power of 65537. Another modulus is with a probability of about 2^-28.
 * Nemec et al., The Return of Coppersmith's Attack, §4.1.
 */
export function hasRocaFingerprint(modulus: string): boolean {
	const n = BigInt(`0x0${Buffer.from(modulus, 'base64url').toString('hex')}`);
	return powers.every(([prime, found]) => found.has(Number(n % prime)));
}
