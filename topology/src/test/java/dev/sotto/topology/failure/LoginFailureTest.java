package dev.sotto.topology.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import javax.net.ssl.SSLHandshakeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.junit.jupiter.api.Test;

class LoginFailureTest {
  private static String of(Throwable cause) {
    SSLHandshakeException handshake = new SSLHandshakeException("General SSLEngine problem");
    handshake.initCause(cause);
    return LoginFailure.words(new SslAuthenticationException("SSL handshake failed", handshake));
  }

  @Test
  void saysWhatIsWrongWithACertificate() {
    assertThat(of(new CertificateException("No name matching localhost found")))
        .contains("is for another host (No name matching localhost found)", "bootstrap.servers");
    assertThat(of(new CertificateException(
            "untrusted", new CertPathBuilderException("unable to find valid certification path"))))
        .contains("signed by nobody who is trusted here (unable to find", "ssl.truststore");
    assertThat(of(new CertificateExpiredException("NotAfter: Mon"))).contains("(NotAfter: Mon)");
    assertThat(of(new CertificateException("something else")))
        .contains("SSL handshake failed (something else); check the user");
  }

  @Test
  void leavesWhatBrokersSayOfALogin() {
    assertThat(LoginFailure.words(new SaslAuthenticationException("invalid credentials")))
        .isEqualTo(
            "invalid credentials; check the user, the password and the other security settings");
  }
}
