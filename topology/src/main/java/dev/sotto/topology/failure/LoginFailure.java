package dev.sotto.topology.failure;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.List;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;

/**
 * Why a cluster and this program did not come to trust each other, and what to do. Kafka itself
 * says of every certificate only that the handshake failed.
 */
public final class LoginFailure {
  private static final String OTHERWISE =
      "; check the user, the password and the other security settings";

  /** What the Java runtime says of a certificate that is for another host. */
  private static final List<String> OTHER_HOST =
      List.of("No subject alternative", "No name matching");

  private LoginFailure() {}

  /** The reason and what to do, to be put behind a colon. */
  public static String words(AuthenticationException failed) {
    if (!(failed instanceof SslAuthenticationException)) {
      return failed.getMessage() + OTHERWISE;
    }
    Throwable last = failed;
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      last = cause;
      if (cause instanceof CertificateExpiredException
          || cause instanceof CertificateNotYetValidException) {
        return "a broker's certificate is not valid at this time (" + cause.getMessage()
            + "); renew it, or correct this machine's clock";
      }
      if (cause instanceof CertPathBuilderException
          || cause instanceof CertPathValidatorException) {
        return "a broker's certificate was signed by nobody who is trusted here ("
            + cause.getMessage()
            + "); the truststore must hold the authority that signed it"
            + " (ssl.truststore.location, or ssl.truststore.certificates)";
      }
    }
    String message = String.valueOf(last.getMessage());
    if (OTHER_HOST.stream().anyMatch(message::startsWith)) {
      return "a broker's certificate is for another host (" + message
          + "); bootstrap.servers and the brokers' advertised.listeners must name brokers as their"
          + " certificates do";
    }
    return failed.getMessage() + (last == failed ? "" : " (" + message + ")") + OTHERWISE;
  }
}
