package dev.sotto.serdes.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModelAliasTest {
  private static AliasTarget version(long version) {
    return new AliasTarget("m", new byte[16], version);
  }

  private static ModelAlias set(long... versions) {
    ModelAlias alias = ModelAlias.first("champion", version(versions[0]), "", "");
    for (int i = 1; i < versions.length; i++) {
      alias = alias.set(version(versions[i]), "", "");
    }
    return alias;
  }

  private static ModelAlias back(ModelAlias alias) {
    return alias.rollback(alias.back().orElseThrow(), "", "");
  }

  @Test
  void rollsBackStepByStepAndNeverForthAgain() {
    ModelAlias third = set(1, 2, 3);
    ModelAlias second = back(third);
    assertThat(second.target()).contains(version(2));
    ModelAlias first = back(second);
    assertThat(first.target()).contains(version(1));
    assertThat(first.back()).isEmpty();
    assertThat(first.newest().number()).isEqualTo(5);
  }

  @Test
  void rollsBackBehindWhatWasSetAfterARollback() {
    ModelAlias again = back(set(1, 2)).set(version(3), "", "");
    assertThat(back(again).target()).contains(version(2));
  }

  @Test
  void rollsBackADeletion() {
    ModelAlias deleted = set(1, 2).delete("", "");
    assertThat(deleted.target()).isEmpty();
    assertThat(back(deleted).target()).contains(version(2));
  }

  @Test
  void remembersWhatRollbacksLeftBehind() {
    ModelAlias alias = back(set(1, 2, 3)).set(version(4), "", "");
    assertThat(alias.isAbandoned(version(3))).isTrue();
    assertThat(alias.isAbandoned(version(2))).isFalse();
    assertThat(alias.isAbandoned(version(4))).isFalse();
  }

  @Test
  void keepsTheLastChangesOnly() {
    ModelAlias alias = set(1);
    for (int i = 2; i < 100; i++) {
      alias = alias.set(version(i), "", "");
    }
    assertThat(alias.earlier()).hasSize(ModelAlias.HISTORY);
    assertThat(alias.newest().number()).isEqualTo(99);
    assertThat(alias.earlier().get(19).target()).isEqualTo(Optional.of(version(79)));
  }

  @Test
  void refusesNamesThatAreNone() {
    for (String wrong : new String[] {"", "Champion", "a b", "1", "x".repeat(65), "a@1"}) {
      assertThatThrownBy(() -> ModelAlias.requireName(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("\"" + wrong + "\"");
    }
  }
}
