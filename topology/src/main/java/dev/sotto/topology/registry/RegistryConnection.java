package dev.sotto.topology.registry;

import dev.sotto.learner.key.SecretFile;
import dev.sotto.learner.key.SecretSource;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.Settings;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/**
 * The settings of a connection to a registry: an address, and who may ask there.
 *
 * @param prefix how the names of the settings begin
 */
record RegistryConnection(
    String prefix,
    ConfigKey<String> url,
    ConfigKey<Auth> auth,
    ConfigKey<String> secretFile,
    ConfigKey<String> secretVariable,
    ConfigKey<String> certificates) {
  /** How requests are authorized. */
  enum Auth {
    NONE,
    BASIC,
    BEARER
  }

  /** When the settings count. */
  interface Rule {
    <T> ConfigKey<T> of(ConfigKey<T> key);
  }

  private static final long MOST_BYTES = 16_384;
  private static final Pattern SECRET = Pattern.compile("[\\x20-\\x7e]+");

  /**
   * Settings that begin with a prefix.
   *
   * @param rule of all of them but the address
   */
  static RegistryConnection of(String prefix, ConfigKey<String> url, Rule rule) {
    return new RegistryConnection(
        prefix,
        url,
        rule.of(ConfigKey.of(
                prefix + "auth",
                Domain.choice(Auth.values(), each -> each.name().toLowerCase(Locale.ROOT)),
                "How requests are authorized: not at all, by user and password, or by a token.")
            .orElse(Auth.NONE)),
        rule.of(ConfigKey.of(
                prefix + "secret.file",
                SecretSource.paths(),
                "The file, with the rights of `noise.key.file`, with `user:password` or the"
                    + " token. A new secret needs no restart.")
            .optional()),
        rule.of(ConfigKey.of(
                prefix + "secret.env",
                SecretSource.variables(),
                "The environment variable that holds the same. Give either this or the file.")
            .optional()),
        rule.of(ConfigKey.of(
                prefix + "ca.file",
                Domain.notBlank(),
                "A file with the certificates (PEM) that vouch for the registry; without it the"
                    + " Java runtime's.")
            .optional()));
  }

  /** A client of the address; nothing is asked yet. */
  RegistryClient client(Settings settings, Map<String, String> environment) {
    URI address = url(settings);
    SecretSource<String> source = new SecretSource<>(
        secretFile, secretVariable, "", RegistryConnection::secret, RegistryConnection::usable);
    Auth kind = settings.get(auth);
    RegistryClient.Authorization authorization = () -> "";
    if (kind != Auth.NONE) {
      if (address.getScheme().equals("http") && !isLocal(address.getHost())) {
        throw settings.reject(
            url, "must begin with https:// where " + auth + " is given: secrets need TLS");
      }
      String first = source.read(settings, environment, auth + " needs it");
      if (kind == Auth.BASIC && first.indexOf(':') < 1) {
        throw settings.reject(auth, "is basic, so that the secret must be user:password");
      }
      Optional<String> file = settings.find(secretFile);
      authorization = () -> header(kind, file.isPresent() ? secret(Path.of(file.get())) : first);
    } else if (source.isGiven(settings)) {
      throw settings.reject(auth, "must be basic or bearer where a secret is given, but was none");
    }
    Optional<SSLContext> tls = settings.find(certificates).map(path -> {
      try {
        return TrustedCertificates.of(Path.of(path));
      } catch (IOException | InvalidPathException unusable) {
        throw settings.reject(
            certificates,
            "must name a file of certificates, but " + path + ": " + unusable.getMessage());
      }
    });
    return new RegistryClient(address, authorization, tls, prefix);
  }

  /** Refuses what is no address, without repeating it: it may hold a password. */
  private URI url(Settings settings) {
    try {
      URI address = URI.create(settings.get(url).strip());
      boolean web = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
      if (web
          && address.getHost() != null
          && address.getRawUserInfo() == null
          && address.getRawQuery() == null
          && address.getRawFragment() == null) {
        return address;
      }
    } catch (IllegalArgumentException noUrl) {
      // said below
    }
    throw settings.reject(
        url,
        "must be http:// or https:// with a host and perhaps a path, and without user or query; a"
            + " user and password belong into " + secretFile);
  }

  private static boolean isLocal(String host) {
    return host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]");
  }

  private static String secret(Path file) throws IOException {
    try {
      return usable(SecretFile.read(
          file, "file of the registry's secret", "a password or a token", MOST_BYTES));
    } catch (IllegalArgumentException unusable) {
      throw new IOException(file + ": " + unusable.getMessage(), unusable);
    }
  }

  private static String usable(String secret) {
    String text = secret.strip();
    if (!SECRET.matcher(text).matches()) {
      throw new IllegalArgumentException("the secret must be one line of printable ASCII");
    }
    return text;
  }

  private static String header(Auth auth, String secret) {
    return auth == Auth.BEARER
        ? "Bearer " + secret
        : "Basic " + Base64.getEncoder().encodeToString(secret.getBytes(StandardCharsets.UTF_8));
  }
}
