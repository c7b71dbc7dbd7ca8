"""The page as documents: its HTML in each language, its files, the previews of links, and the offline bundle."""
