//! A look at a library without running any of its code.
//!
//! Opening a library runs its constructors, and mapping a truncated one ends in `SIGBUS` at the first touch of a
//! missing page. So the structure is read first, from the very bytes that will be opened.

use object::elf;
use object::read::SectionIndex;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, Sym};
use object::{Endianness, Object, ObjectSymbol};

use super::error::LoadError;

/// The machine number of this program's architecture.
const MACHINE: object::elf::Machine = machine();

/// Checks that `bytes` are a complete shared library for this machine with one of the two doors.
///
/// # Errors
/// [`LoadError::Elf`] says which structure is wrong, [`LoadError::NoDoor`] that no door is exported.
pub fn check(bytes: &[u8]) -> Result<(), LoadError> {
    let bad = |problem: String| Err(LoadError::Elf(problem));
    if !bytes.starts_with(&elf::ELFMAG) {
        return bad("it does not begin as an ELF file does".into());
    }
    if bytes.get(4) != Some(&elf::ELFCLASS64.0) {
        return bad("it is not a 64-bit ELF file".into());
    }
    let broken = |error: object::Error| LoadError::Elf(format!("its ELF structure is damaged: {error}"));
    let header = elf::FileHeader64::<Endianness>::parse(bytes).map_err(broken)?;
    let endian = header.endian().map_err(broken)?;
    if header.e_type(endian) != elf::ET_DYN {
        return bad("it is an ELF file but not a shared library".into());
    }
    let machine = header.e_machine(endian);
    if machine != MACHINE {
        return bad(format!(
            "it is for ELF machine {}, this program runs on machine {}",
            machine.0, MACHINE.0
        ));
    }
    for (number, segment) in header.program_headers(endian, bytes).map_err(broken)?.iter().enumerate() {
        if segment.p_type(endian) == elf::PT_LOAD {
            let end = segment.p_offset(endian).checked_add(segment.p_filesz(endian));
            if end.is_none_or(|end| end > bytes.len() as u64) {
                return bad(format!(
                    "segment {number} reaches beyond the file's {} bytes: it is truncated",
                    bytes.len()
                ));
            }
        }
    }
    let file = object::read::elf::ElfFile64::<Endianness>::parse(bytes).map_err(broken)?;
    let doors = [abi_stable::library::ROOT_MODULE_LOADER_NAME, interlock_abi::INTERLOCK_GET_API_SYMBOL];
    // Compared in place, and before anything else is asked of a symbol: looking for the end of each name would take the
    // square of the file's length when all of them begin in one long name.
    let names = match file.elf_dynamic_symbol_table().string_section() {
        SectionIndex(0) => &[],
        section => {
            file.elf_section_table().section(section).and_then(|s| s.data(endian, bytes)).map_err(broken)?
        }
    };
    let is_door = |at: u32| {
        let name = names.get(at as usize..).unwrap_or_default();
        doors
            .iter()
            .any(|door| name.strip_prefix(door.as_bytes()).is_some_and(|rest| rest.first() == Some(&0)))
    };
    let exported = file
        .dynamic_symbols()
        .any(|symbol| is_door(symbol.elf_symbol().st_name(endian)) && symbol.is_definition());
    if exported { Ok(()) } else { Err(LoadError::NoDoor) }
}

/// The functions that a library exports, doors included: what others would call by these names, and what another library's
/// function of the same name can take the place of. Weak ones, which C++ makes of templates, are not among them.
///
/// # Errors
/// [`LoadError::Elf`]: its structure is damaged.
pub fn exports(bytes: &[u8]) -> Result<Vec<String>, LoadError> {
    let broken = |error: object::Error| LoadError::Elf(format!("its ELF structure is damaged: {error}"));
    let file = object::read::elf::ElfFile64::<Endianness>::parse(bytes).map_err(broken)?;
    let functions = file.dynamic_symbols().filter(|symbol| {
        let function = symbol.elf_symbol().st_type() == elf::STT_FUNC;
        function && symbol.is_definition() && symbol.is_global() && !symbol.is_weak()
    });
    functions.map(|symbol| symbol.name().map(str::to_owned).map_err(broken)).collect()
}

const fn machine() -> object::elf::Machine {
    if cfg!(target_arch = "x86_64") {
        elf::EM_X86_64
    } else if cfg!(target_arch = "aarch64") {
        elf::EM_AARCH64
    } else {
        // Matches no file, so that everything is refused on an architecture that nobody has tried.
        elf::EM_NONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_library_is_refused_by_name() {
        let refused = |bytes: &[u8]| check(bytes).unwrap_err().to_string();
        assert!(refused(b"#!/bin/sh\n").contains("does not begin"));
        assert!(refused(b"\x7fELF").contains("64-bit"));
        assert!(refused(b"\x7fELF\x02\x01\x01").contains("damaged"));
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        // A test program is a position-independent executable, so a shared object by type, but it exports no door.
        assert!(matches!(check(&program).unwrap_err(), LoadError::NoDoor));
        let half = &program[..program.len() / 2];
        assert!(matches!(check(half).unwrap_err(), LoadError::Elf(_)));
        let mut foreign = program;
        foreign[18] ^= 0x55;
        assert!(refused(&foreign).contains("machine"));
    }
}
