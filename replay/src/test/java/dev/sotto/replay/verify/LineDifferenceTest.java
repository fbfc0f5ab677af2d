package dev.sotto.replay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineDifferenceTest {
  private static List<String> common(String one, String other) {
    return LineDifference.common(List.of(one.split("")), List.of(other.split("")));
  }

  @Test
  void findsWhatTwoTextsShare() {
    assertThat(common("abcd", "abcd")).containsExactly("a", "b", "c", "d");
    assertThat(common("axbycz", "abc")).containsExactly("a", "b", "c");
    assertThat(common("abcd", "xyz")).isEmpty();
    assertThat(common("aXbYa", "aYbXa")).hasSize(3).startsWith("a").endsWith("a");
    assertThat(common("aaa", "aa")).containsExactly("a", "a");
  }

  @Test
  void doesNotGetLostInLongTexts() {
    List<String> one = Collections.nCopies(5000, "one");
    List<String> other = Collections.nCopies(5000, "other");
    assertThat(LineDifference.common(one, other)).isEmpty();
    assertThat(LineDifference.common(one, one)).hasSize(5000);
  }
}
