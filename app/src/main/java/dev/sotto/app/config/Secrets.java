package dev.sotto.app.config;

import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Tells which values may be shown. */
final class Secrets {
  static final String MASK = "********";

  private static final List<String> WORDS = List.of(
      "password", "passphrase", "secret", "credential", "token", "jaas", "auth", "private", "key");

  private Secrets() {}

  /** Whether a setting may hold a secret: by Kafka's own word, or by its name. */
  static boolean isSecret(String key) {
    if (!key.startsWith(KafkaSettings.PREFIX)) {
      return false;
    }
    ConfigKey known = KafkaSettings.definition(key.substring(KafkaSettings.PREFIX.length()));
    String lower = key.toLowerCase(Locale.ROOT);
    return known == null ? WORDS.stream().anyMatch(lower::contains) : known.type == Type.PASSWORD;
  }

  /** A value for messages and listings. */
  static String shown(String key, Object value) {
    String text = String.valueOf(value);
    boolean hidden = isSecret(key) || KeySources.namesAKey(key) && Rules.looksLikeAKey(text);
    return hidden ? MASK : text.isEmpty() ? "empty" : text;
  }
}
