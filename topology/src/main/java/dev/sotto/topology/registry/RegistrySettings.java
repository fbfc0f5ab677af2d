package dev.sotto.topology.registry;

import dev.sotto.learner.key.SecretFile;
import dev.sotto.learner.key.SecretSource;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.Settings;
import dev.sotto.serdes.event.AvroFraming;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.serdes.registry.SchemaIdFile;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** The settings of the registry that has the schemas of events. */
public final class RegistrySettings {
  /** How requests are authorized. */
  public enum Auth {
    NONE,
    BASIC,
    BEARER
  }

  /** How the names of these settings begin. */
  public static final String PREFIX = "events.registry.";

  private static final long MOST_BYTES = 16_384;
  private static final Pattern SECRET = Pattern.compile("[\\x20-\\x7e]+");

  public static final ConfigKey<String> URL = confluent(ConfigKey.of(
          PREFIX + "url",
          Domain.notBlank(),
          "The registry that is asked for the schemas of ids, by `GET /schemas/ids/<id>`, or"
              + " `/schemas/guids/<guid>`, below this address. Give this, or the file, or both (docs/registry.md).")
      .optional());

  public static final ConfigKey<String> FILE = confluent(ConfigKey.of(
          PREFIX + "file",
          Domain.notBlank(),
          "A file of ids and schemas, one JSON object per line. Alone it replaces the registry;"
              + " beside an address it is read first, and keeps what the registry answers, so that a"
              + " restart, a replay and `verify` need no registry; without it"
              + " `<state.dir>/<app.id>.schemas.jsonl` does.")
      .optional());

  public static final ConfigKey<Auth> AUTH = confluent(ConfigKey.of(
          PREFIX + "auth",
          Domain.choice(Auth.values(), each -> each.name().toLowerCase(Locale.ROOT)),
          "How requests are authorized: not at all, by user and password, or by a token.")
      .orElse(Auth.NONE));

  public static final ConfigKey<String> SECRET_FILE = confluent(ConfigKey.of(
          PREFIX + "secret.file",
          SecretSource.paths(),
          "The file, with the rights of `noise.key.file`, with `user:password` or the token. It is read"
              + " before every request, so that a new secret needs no restart.")
      .optional());

  public static final ConfigKey<String> SECRET_VARIABLE = confluent(ConfigKey.of(
          PREFIX + "secret.env",
          SecretSource.variables(),
          "The name of the environment variable that holds the same. Give either this or the file.")
      .optional());

  public static final ConfigKey<String> CERTIFICATES = confluent(ConfigKey.of(
          PREFIX + "ca.file",
          Domain.notBlank(),
          "A file with the certificates (PEM) of those who may vouch for the registry; without it"
              + " those that the Java runtime trusts.")
      .optional());

  /** All of them, in the order of the manual. */
  public static final List<ConfigKey<?>> KEYS =
      List.of(URL, FILE, AUTH, SECRET_FILE, SECRET_VARIABLE, CERTIFICATES);

  private static final SecretSource<String> SOURCE = new SecretSource<>(
      SECRET_FILE, SECRET_VARIABLE, "", RegistrySettings::secret, RegistrySettings::usable);

  private RegistrySettings() {}

  private static <T> ConfigKey<T> confluent(ConfigKey<T> key) {
    return key.when(EventKeys.AVRO_FRAMING, AvroFraming.CONFLUENT)
        .when(EventKeys.FORMAT, EventKeys.AVRO);
  }

  /**
   * The registry, the file, or both; nothing is asked yet.
   *
   * @param usual keeps a registry's answers where the settings name no file; empty for none
   */
  public static SchemaRegistry read(
      Settings settings, Map<String, String> environment, Optional<Path> usual) {
    if (!settings.isGiven(URL) && !settings.isGiven(FILE)) {
      throw settings.reject(
          URL, "must be given, or " + FILE + ": Avro cannot be read without the writer's schema");
    }
    Optional<RegistryClient> client =
        settings.isGiven(URL) ? Optional.of(client(settings, environment)) : Optional.empty();
    try {
      Optional<SchemaIdFile> file =
          settings.find(FILE).map(Path::of).or(() -> usual).map(SchemaIdFile::new);
      SchemaRegistry registry = new SchemaRegistry(client, file, SchemaRegistry.WAIT);
      if (client.isEmpty() && registry.known().isEmpty()) {
        throw settings.rejectValue(FILE, "name a file with at least one schema");
      }
      return registry;
    } catch (InvalidPathException | IOException unreadable) {
      throw settings.reject(
          FILE,
          "must name a file that can be read, but was "
              + (settings.isGiven(FILE)
                  ? settings.get(FILE)
                  : usual.map(Path::toString).orElse("")));
    } catch (IllegalArgumentException damaged) {
      throw settings.reject(FILE, "must hold one schema per line, but " + damaged.getMessage());
    }
  }

  private static RegistryClient client(Settings settings, Map<String, String> environment) {
    URI url = url(settings);
    Auth auth = settings.get(AUTH);
    RegistryClient.Authorization authorization = () -> "";
    if (auth != Auth.NONE) {
      if (url.getScheme().equals("http") && !isLocal(url.getHost())) {
        throw settings.reject(
            URL, "must begin with https:// where " + AUTH + " is given: secrets need TLS");
      }
      String first = SOURCE.read(settings, environment, AUTH + " needs it");
      if (auth == Auth.BASIC && first.indexOf(':') < 1) {
        throw settings.reject(AUTH, "is basic, so that the secret must be user:password");
      }
      Optional<String> file = settings.find(SECRET_FILE);
      authorization = () -> header(auth, file.isPresent() ? secret(Path.of(file.get())) : first);
    } else if (SOURCE.isGiven(settings)) {
      throw settings.reject(AUTH, "must be basic or bearer where a secret is given, but was none");
    }
    Optional<SSLContext> tls = settings.find(CERTIFICATES).map(path -> {
      try {
        return TrustedCertificates.of(Path.of(path));
      } catch (IOException | InvalidPathException unusable) {
        throw settings.reject(
            CERTIFICATES,
            "must name a file of certificates, but " + path + ": " + unusable.getMessage());
      }
    });
    return new RegistryClient(url, authorization, tls);
  }

  /** Refuses what is no address, without repeating it: it may hold a password. */
  private static URI url(Settings settings) {
    try {
      URI url = URI.create(settings.get(URL).strip());
      boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      if (web
          && url.getHost() != null
          && url.getRawUserInfo() == null
          && url.getRawQuery() == null
          && url.getRawFragment() == null) {
        return url;
      }
    } catch (IllegalArgumentException noUrl) {
      // said below
    }
    throw settings.reject(
        URL,
        "must be http:// or https:// with a host and perhaps a path, and without user or query; a"
            + " user and password belong into " + SECRET_FILE);
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
