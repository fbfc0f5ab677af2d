package dev.sotto.app.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/** The certificate of a server, out of the files in PEM that orchestrators mount. */
public final class ServeTls {
  private ServeTls() {}

  /**
   * A context with this certificate.
   *
   * @param chain the certificate and those that vouch for it, in PEM
   * @param key its private key, PKCS #8 in PEM, not encrypted
   * @throws IOException where one of them cannot be read or does not fit
   */
  public static SSLContext of(Path chain, String key) throws IOException {
    try (DefaultSslEngineFactory kafka = new DefaultSslEngineFactory()) {
      kafka.configure(Map.of(
          SslConfigs.SSL_PROTOCOL_CONFIG,
          "TLS",
          SslConfigs.SSL_ENABLED_PROTOCOLS_CONFIG,
          List.of("TLSv1.2", "TLSv1.3"),
          SslConfigs.SSL_CIPHER_SUITES_CONFIG,
          List.of(),
          SslConfigs.SSL_KEYSTORE_TYPE_CONFIG,
          DefaultSslEngineFactory.PEM_TYPE,
          SslConfigs.SSL_KEYSTORE_CERTIFICATE_CHAIN_CONFIG,
          new Password(Files.readString(chain)),
          SslConfigs.SSL_KEYSTORE_KEY_CONFIG,
          new Password(key)));
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(kafka.keystore(), null);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (KafkaException | GeneralSecurityException unfit) {
      throw new IOException(
          "certificate and key must be PEM (PKCS #8, not encrypted) and belong together, but: "
              + unfit.getMessage(),
          unfit);
    }
  }
}
