package dev.sotto.app.init;

import dev.sotto.config.key.ConfigText;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Why a field is probably no feature: by its name, and by its values where these are public. */
final class FieldHints {
  private static final int DEEPEST = 16;
  private static final Set<String> IDS = Set.of("id", "ids", "uuid", "guid", "key");
  private static final Set<String> TIMES =
      Set.of("ts", "timestamp", "datetime", "date", "epoch", "dt");

  private FieldHints() {}

  /** Why no setting can name a field; empty where one can. */
  static Optional<String> unreadable(SampleField field) {
    if (field.type() == FieldType.UNREADABLE || field.type() == FieldType.NONE) {
      return Optional.of(field.words());
    }
    for (String name : field.names()) {
      if (name.isBlank()) {
        return Optional.of("it has no name");
      }
    }
    if (!field.path().equals(field.path().trim())) {
      return Optional.of("it begins or ends with a blank, which no setting can have; take the"
          + " blanks out of the name");
    }
    if (field.path().equals(ConfigText.TO_DO)) {
      return Optional.of("this word stands for what is still to be stated");
    }
    return field.path().chars().filter(each -> each == '.').count() >= DEEPEST
        ? Optional.of("more than " + DEEPEST + " names with dots between")
        : Optional.empty();
  }

  /** Whether a name is one of ids. */
  static boolean isId(SampleField field) {
    return IDS.contains(lastWord(field));
  }

  /** Why it is probably no feature; empty where it may be one. */
  static Optional<String> noFeature(SampleField field) {
    return noFeatureByName(field).or(() -> noFeatureByValues(field));
  }

  /** Why it is probably none by its name. */
  static Optional<String> noFeatureByName(SampleField field) {
    if (isId(field)) {
      return Optional.of("an id by its name");
    }
    String last = lastWord(field);
    boolean whole = ownName(field).equalsIgnoreCase(last);
    if (TIMES.contains(last)
        || last.equals("at") && !whole
        || last.equals("time") && (whole || field.type() != FieldType.NUMBER)) { // no duration
      return Optional.of("a time by its name");
    }
    return Optional.empty();
  }

  /** Why it is probably none by its values; empty where these are private. */
  static Optional<String> noFeatureByValues(SampleField field) {
    return field.statistics().flatMap(values -> noFeature(field, values));
  }

  private static Optional<String> noFeature(SampleField field, ValueStatistics values) {
    if (values.distinct() == 1) {
      return Optional.of("one value only");
    }
    boolean unique = values.isMostlyUnique();
    if (unique && field.type().isCategory()) {
      return Optional.of("nearly as many values as records");
    }
    return unique && values.isWhole() && values.isRising()
        ? Optional.of("it counts upwards, as ids and times do")
        : Optional.empty();
  }

  private static String ownName(SampleField field) {
    return field.names().get(field.names().size() - 1);
  }

  /** The last word of {@code user_id}, {@code userId} or {@code user-id}, in lower case. */
  private static String lastWord(SampleField field) {
    String[] words = ownName(field)
        .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
        .toLowerCase(Locale.ROOT)
        .split("[^a-z0-9]+");
    return words.length == 0 ? "" : words[words.length - 1];
  }
}
