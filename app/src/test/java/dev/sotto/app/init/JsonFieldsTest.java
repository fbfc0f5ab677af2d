package dev.sotto.app.init;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of records that are no JSON objects: nothing about the parser that found out. */
class JsonFieldsTest {
  private static String fault(String value) {
    Sample sample = new Sample(false);
    new JsonFields(sample).add(value.getBytes(StandardCharsets.UTF_8));
    return sample.firstFault();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'a':1}",
        "{a:1}",
        "{\"a\":+1}",
        "{\"a\":.5}",
        "{\"a\":5.}",
        "{\"a\":007}",
        "{\"a\":-007}",
        "{\"a\":0x1F}",
        "{\"a\":None}",
        "{\"a\":undefined}",
        "{\"a\":True}",
        "{\"a\":NA}",
        "{\"a\":1,}",
        "{\"a\":[1,]}",
        "{\"a\":[,1]}",
        "{\"a\":1 // half\n}",
        "{\"a\":/* one */1}",
        "# all\n{\"a\":1}",
        "{\"a\":\"b\nc\"}",
        "{\"a\":\"b\tc\"}",
        "{\"a\":\"\\q\"}",
        "{\"a\":\"\\u12\"}",
        "{\"a\":\"b",
        "{\"a\":1",
        "{\"a\" 1}",
        "{\"a\":1]",
        "{\"a\":1e}",
        "{\"a\":--1}",
        "{\"a\":1}}",
        "{\"a\":-Infinity1}",
        "\"a\"",
        "a"
      })
  void namesNoSwitchOfAParser(String value) {
    assertIsForPeople(fault(value));
  }

  /** Nor where a limit is exceeded. */
  @Test
  void namesNoSwitchOfALimit() {
    assertIsForPeople(fault("{\"a\":".repeat(100) + "1" + "}".repeat(100)));
    assertIsForPeople(fault("{\"a\":" + "1".repeat(500) + "}"));
    assertIsForPeople(fault("{\"" + "a".repeat(70_000) + "\":1}"));
  }

  private static void assertIsForPeople(String fault) {
    assertThat(fault)
        .startsWith("record 1: it must be ")
        .doesNotContainPattern("`|Feature|Constraints|[A-Z]_[A-Z]|Source|Reader|\\.get")
        .doesNotEndWith(":")
        .doesNotEndWith(",");
    assertThat(fault.chars().filter(each -> each == '(').count())
        .as(fault)
        .isEqualTo(fault.chars().filter(each -> each == ')').count());
  }
}
