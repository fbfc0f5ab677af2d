package dev.sotto.app.init;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names that tell of ids and times, and fields that no setting can name. */
class FieldHintsTest {
  private static SampleField text(String... names) {
    SampleField field = new SampleField(List.of(names), false);
    field.text("x");
    return field;
  }

  @ParameterizedTest
  @CsvSource({
    "id, an id by its name",
    "userId, an id by its name",
    "user_id, an id by its name",
    "USER-ID, an id by its name",
    "key, an id by its name",
    "ts, a time by its name",
    "labelTs, a time by its name",
    "created_at, a time by its name",
    "date, a time by its name",
    "paid,",
    "keyboard,",
    "at,",
    "update,",
    "amount,",
    "größe,"
  })
  void knowsIdsAndTimesByTheirNames(String name, String why) {
    assertThat(FieldHints.noFeature(text("x", name)).orElse(null)).isEqualTo(why);
  }

  /** As admission_type_id, which tells much. */
  @Test
  void takesFewValuesThatComeBackForACodeWhateverTheirName() {
    SampleField code = new SampleField(List.of("type_id"), true);
    SampleField person = new SampleField(List.of("user_id"), true);
    for (int i = 0; i < 1_000; i++) {
      code.number(i % 8);
      person.number(i % 33);
    }
    assertThat(FieldHints.noFeature(code)).isEmpty();
    assertThat(FieldHints.noFeature(person)).contains("an id by its name");
    assertThat(FieldHints.noFeature(text("type_id"))).contains("an id by its name");
  }

  @Test
  void knowsWhatNoSettingCanName() {
    assertThat(FieldHints.unreadable(text("a", "b"))).isEmpty();
    assertThat(FieldHints.unreadable(text("a.b"))).isEmpty();
    assertThat(FieldHints.unreadable(text("a" + ".a".repeat(16)))).isPresent();
    assertThat(FieldHints.unreadable(text("a", ""))).isPresent();
    assertThat(FieldHints.unreadable(text("TODO"))).isPresent();
    assertThat(FieldHints.unreadable(text("a", "TODO"))).isEmpty();
    assertThat(FieldHints.unreadable(text(" a"))).isPresent();
    assertThat(FieldHints.unreadable(text("a", "b\n"))).isPresent();
    assertThat(FieldHints.unreadable(text("a b"))).isEmpty();
    assertThat(FieldHints.unreadable(text("a".repeat(16).split("")))).isEmpty();
    assertThat(FieldHints.unreadable(text("a".repeat(17).split("")))).isPresent();
    assertThat(FieldHints.unreadable(new SampleField(List.of("a"), false))).isPresent();
    SampleField list = text("a");
    list.declare(FieldType.UNREADABLE);
    assertThat(FieldHints.unreadable(list)).isPresent();
  }

  @Test
  void givesEveryFieldANameOfItsOwn() {
    UniqueFeatureNames names = new UniqueFeatureNames();
    assertThat(names.of(text("x", "a"))).isEqualTo("a");
    assertThat(names.of(text("y", "a"))).isEqualTo("y_a");
    assertThat(names.of(text("y a"))).isEqualTo("y_a_2");
    assertThat(names.of(text("größe"))).isEqualTo("gr_e");
    assertThat(names.of(text("日本"))).isEqualTo("_");
    assertThat(names.of(text("中国"))).isEqualTo("__2");
    assertThat(names.of(text("a".repeat(300)))).hasSize(80);
  }
}
