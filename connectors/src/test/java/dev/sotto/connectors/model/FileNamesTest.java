package dev.sotto.connectors.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileNamesTest {
  @ParameterizedTest
  @CsvSource({
    "model-1_a.B, model-1_a.B",
    "../../etc/passwd, %2E.%2F..%2Fetc%2Fpasswd",
    "., %2E",
    "a b%, a%20b%25",
    "a\\b:c*, a%5Cb%3Ac%2A",
    "\u00e9, %C3%A9",
    "a\u0000b, a%00b",
    "'', %"
  })
  void keepsPlainCharactersAndSpellsTheRest(String id, String name) {
    assertThat(FileNames.of(id)).isEqualTo(name);
  }

  @Test
  void givesEveryIdItsOwnShortSafeName() {
    Random random = Seed.random(1);
    Map<String, String> ids = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      String id = random
          .ints(random.nextInt(i % 10 == 0 ? 150 : 4), 0, 0x2FF)
          .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
          .toString();
      String name = FileNames.of(id);
      assertThat(name).matches("[A-Za-z0-9_%~-][A-Za-z0-9._%~-]*");
      assertThat(name.length()).isLessThanOrEqualTo(FileNames.LONGEST);
      String before = ids.put(name, id);
      assertThat(before == null || before.equals(id)).as(id).isTrue();
    }
    String shared = "x".repeat(300);
    assertThat(FileNames.of(shared + "a"))
        .hasSize(FileNames.LONGEST)
        .isNotEqualTo(FileNames.of(shared + "b"));
  }
}
