package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class EntryOptionsTest {
  /** "Nothing has been committed" of a misspelt model would read as "nothing was spent". */
  @Test
  void refusesAModelThatHasNothingWhereOthersHave() {
    EntryOptions options = CommandLine.populateCommand(new EntryOptions(), "--model", "late.smal");
    EntryOptions.Newest<Integer> entries = options.new Newest<>();
    entries.requireNamed("late.ledger"); // nobody has anything yet
    entries.add("late.small", 1);
    entries.add("late.large", 1);
    assertThatThrownBy(() -> entries.requireNamed("late.ledger"))
        .hasMessage("topic late.ledger holds nothing of model late.smal; it holds entries of"
            + " late.large, late.small")
        .isInstanceOfSatisfying(
            SottoException.class,
            refused -> assertThat(refused.kind()).isEqualTo(FailureKind.UNVERIFIED));
    entries.add("late.smal", 1);
    entries.requireNamed("late.ledger");
    assertThat(entries.all()).hasSize(1);
  }
}
