package dev.sotto.config.key;

import dev.sotto.learner.key.NoiseKeySettings;
import dev.sotto.learner.key.SecretSource;
import dev.sotto.topology.encryption.EncryptionSettings;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Which values may be shown. */
public final class SecretValues {
  public static final String MASK = "********";

  private static final List<String> WORDS = List.of(
      "password", "passphrase", "secret", "credential", "token", "jaas", "auth", "private", "key");

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
    return key.startsWith(NoiseKeySettings.PREFIX) || key.startsWith(EncryptionSettings.PREFIX);
  }

  /** A value for messages and listings. */
  public static String shown(String key, Object value) {
    String text = String.valueOf(value);
    boolean hidden = isSecret(key) || namesASecret(key) && SecretSource.looksLikeASecret(text);
    return hidden ? MASK : text.isEmpty() ? "empty" : text;
  }
}
