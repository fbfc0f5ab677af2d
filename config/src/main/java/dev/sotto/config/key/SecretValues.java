package dev.sotto.config.key;

import dev.sotto.learner.key.NoiseKeySettings;
import dev.sotto.learner.key.SecretSource;
import dev.sotto.topology.encryption.EncryptionSettings;
import dev.sotto.topology.registry.CopySettings;
import dev.sotto.topology.registry.RegistrySettings;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Which values may be shown. */
public final class SecretValues {
  public static final String MASK = "********";

  private static final List<String> WORDS = List.of(
      "password", "passphrase", "secret", "credential", "token", "jaas", "auth", "private", "key");

  private static final Pattern VARIABLE = Pattern.compile("[A-Z_][A-Z0-9_]*");

  /** A path with a folder or a short name: neither user:password nor a long word without a dot. */
  private static final Pattern FILE =
      Pattern.compile("(?!eyJ)([^:]*/[^:]*|[^:]*\\.[^:]*|[^:]{1,23})");

  /** Settings that name a registry's secret. */
  private static final Set<String> FILES =
      Set.of(RegistrySettings.SECRET_FILE.name(), CopySettings.SECRET_FILE.name());

  private static final Set<String> VARIABLES =
      Set.of(RegistrySettings.SECRET_VARIABLE.name(), CopySettings.SECRET_VARIABLE.name());

  private SecretValues() {}

  /** Whether a setting may hold a secret: by Kafka's own word, or by its name. */
  public static boolean isSecret(String key) {
    if (!key.startsWith(KafkaSettings.PREFIX)) {
      return false;
    }
    ConfigKey known = KafkaSettings.definition(key.substring(KafkaSettings.PREFIX.length()));
    String lower = key.toLowerCase(Locale.ROOT);
    return known == null ? WORDS.stream().anyMatch(lower::contains) : known.type == Type.PASSWORD;
  }

  /** Whether a setting says where a secret is, so that it might be the secret by mistake. */
  public static boolean namesASecret(String key) {
    return key.startsWith(NoiseKeySettings.PREFIX)
        || key.startsWith(EncryptionSettings.PREFIX)
        || FILES.contains(key)
        || VARIABLES.contains(key);
  }

  /** A value for messages and listings. */
  public static String shown(String key, Object value) {
    String text = String.valueOf(value);
    boolean hidden = isSecret(key)
        || namesASecret(key) && (SecretSource.looksLikeASecret(text) || isOfRegistry(key, text));
    return hidden ? MASK : text.isEmpty() ? "empty" : text;
  }

  /** Whether a user with a password, or a token, may stand where the place of it should. */
  private static boolean isOfRegistry(String key, String text) {
    return VARIABLES.contains(key) && !VARIABLE.matcher(text).matches()
        || FILES.contains(key) && !FILE.matcher(text).matches();
  }
}
