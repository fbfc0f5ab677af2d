package dev.sotto.topology.registry;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates of a file in place of those that the Java runtime trusts. */
final class TrustedCertificates {
  private TrustedCertificates() {}

  /**
   * TLS that trusts the certificates of a file (PEM), and no others.
   *
   * @throws IOException where it cannot be read or has none
   */
  static SSLContext of(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("trusted-" + store.size(), each);
      }
      if (store.size() == 0) {
        throw new IOException("it has no certificate");
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(null, trust.getTrustManagers(), null);
      return tls;
    } catch (GeneralSecurityException broken) {
      throw new IOException("it has no certificates in PEM", broken);
    }
  }
}
