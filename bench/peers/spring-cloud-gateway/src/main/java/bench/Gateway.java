package bench;

import java.security.interfaces.RSAPublicKey;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.NimbusReactiveJwtDecoder;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;

/** Spring Cloud Gateway with a token verified per request, metrics and a circuit breaker; its settings are arguments. */
@SpringBootApplication
public class Gateway {
	public static void main(String[] arguments) {
		SpringApplication.run(Gateway.class, arguments);
	}

	/** As the default one, for access tokens by RFC 9068, whose type is not JWT. */
	@Bean
	ReactiveJwtDecoder decoder(@Value("${bench.key}") RSAPublicKey key, @Value("${bench.issuer}") String issuer) {
		var decoder = NimbusReactiveJwtDecoder.withPublicKey(key).build();
		decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(
			new JwtTimestampValidator(),
			new JwtIssuerValidator(issuer),
			new JwtClaimValidator<List<String>>("aud", audience -> audience != null && audience.contains(issuer)),
			new JwtTypeValidator("at+jwt")));
		return decoder;
	}
}
